import { idsOf, type Stack } from './deployed-stack.js';

export interface Sentence {
  readonly text: string;
  /** Whether something ends, is refused, opens or is lost. */
  readonly warns: boolean;
}

/** As text; empty if the stage has none. */
export type Facts = Readonly<Record<keyof typeof FACTS, string>>;

export function factsOf(stack: Stack): Facts {
  const parts = partsOf(stack);
  return Object.fromEntries(Object.entries(FACTS).map(([name, read]) => [name, text(read(parts))])) as Facts;
}

/** Warnings first. */
export function sentencesOf(was: Facts, is: Facts): Sentence[] {
  const said = (Object.keys(SENTENCES) as (keyof Facts)[])
    .filter((name) => was[name] !== is[name])
    .map((name) => filled(name, was, is))
    .filter((sentence) => sentence !== undefined)
    .map((sentence) => ({ text: sentence.replace(/^! /, ''), warns: sentence.startsWith('! ') }));
  return [...said.filter(({ warns }) => warns), ...said.filter(({ warns }) => !warns)];
}

type Parts = ReturnType<typeof partsOf>;

function partsOf({ template, role }: Stack) {
  const of = (id: string) => template.Resources[id]?.Properties ?? {};
  const lambda = of('ApiLambdaFunction');
  const variables = lambda.Environment?.Variables ?? {};
  const properties = Object.values(template.Resources).map(({ Properties }) => Properties ?? {});
  return { template, role, of, lambda, variables, properties, has: (id: string) => id in template.Resources && 'yes' };
}

const FACTS = {
  frontDoor: ({ has }) => (has('HttpApi') && HTTP_API) || (has('ApiLambdaFunctionUrl') && FUNCTION_URL) || REST_API,
  urlTarget: ({ of }) => of('ApiLambdaFunctionUrl').TargetFunctionArn,
  domain: ({ of }) => of('Domain').DomainName,
  defaultAddress: ({ of }) =>
    of('ApiGatewayRestApi').DisableExecuteApiEndpoint || of('HttpApi').DisableExecuteApiEndpoint ? 'closed' : 'open',
  hostedZone: ({ of }) => of('DomainRecord').HostedZoneId,
  certificate: ({ of }) => of('Domain').DomainNameConfigurations?.[0].CertificateArn,
  access: ({ variables, properties }) => {
    if (variables.TOKEN_ISSUER) return 'people';
    return properties.some(({ AuthorizationType }) => AuthorizationType === 'AWS_IAM') ? 'signed' : 'open';
  },
  tokenIssuer: ({ variables }) => variables.TOKEN_ISSUER,
  tokenAudience: ({ variables }) => variables.TOKEN_AUDIENCE,
  readScope: ({ variables }) => variables.TOKEN_READ_SCOPE,
  writeScope: ({ variables }) => variables.TOKEN_WRITE_SCOPE,
  table: ({ variables }) => variables.TABLE_NAME,
  listBy: ({ variables }) => (variables.TOKEN_ISSUER ? variables.LIST_BY || 'sub' : 'all'),
  version: ({ template }) => idsOf(template, 'AWS::Lambda::Version').join(),
  corsOrigins: ({ variables }) => variables.CORS_ORIGINS,
  tokenClient: ({ variables }) => variables.TOKEN_CLIENT,
  reservedConcurrency: ({ lambda }) => lambda.ReservedConcurrentExecutions,
  throttle: ({ of }) =>
    of('ApiStage').MethodSettings?.[0].ThrottlingRateLimit ??
    of('HttpApiStage').DefaultRouteSettings?.ThrottlingRateLimit,
  memorySize: ({ lambda }) => lambda.MemorySize,
  timeout: ({ lambda }) => lambda.Timeout,
  runtime: ({ lambda }) => lambda.Runtime,
  logLevel: ({ variables }) => variables.LOG_LEVEL,
  logRetention: ({ of }) => of('ApiLogGroup').RetentionInDays,
  accessLog: ({ has }) => has('AccessLog'),
  alarmEmail: ({ of }) => of('AlarmSubscription').Endpoint,
  alarms: ({ template }) => idsOf(template, 'AWS::CloudWatch::Alarm').join(', '),
  dashboard: ({ has }) => has('Dashboard'),
  tracing: ({ lambda }) => lambda.TracingConfig?.Mode,
  permissionsBoundary: ({ of }) => of('ApiRole').PermissionsBoundary,
  functionRole: ({ lambda: { Role } }) => (typeof Role === 'string' ? Role : ''),
  deploymentRole: ({ role }) => role,
  deploymentBucket: ({ lambda: { Code } }) => (typeof Code?.S3Bucket === 'string' ? Code.S3Bucket : ''),
} satisfies Readonly<Record<string, (parts: Parts) => unknown>>;

const [REST_API, HTTP_API, FUNCTION_URL] = ['the REST API', 'the HTTP API', 'the function URL'];

function text(value: unknown): string {
  if (!value && value !== 0) return '';
  if (typeof value !== 'object') return String(value);
  return 'Ref' in value && value.Ref === 'AWS::NoValue' ? '' : JSON.stringify(value);
}

/**
 * `{was}` and `{is}` stand for the values of the fact, `{is.domain}` for another fact. A warning begins with an
 * exclamation mark. Undefined if nobody notices, or another fact has the sentence.
 */
type Say = string | undefined | ((was: Facts, is: Facts) => string | undefined);

/** In the order in which they are printed. */
const SENTENCES: Readonly<Record<keyof Facts, Say | Kinds>> = {
  frontDoor(was, is) {
    if (!was.domain || was.domain !== is.domain)
      return '! The address changes: that of {was} ends, and {is} gets another one. Tell callers first.';
    const stays = 'The front door is {is}, in place of {was}. https://{is.domain}/ stays';
    return was.defaultAddress === 'closed' ? `${stays}.` : `! ${stays}, but the address that AWS gave to {was} ends.`;
  },
  urlTarget: {
    other: '! The address changes: the function URL is replaced by another one. Tell callers first.',
  },
  domain: {
    added: 'The stage gets the address https://{is}/ as well.',
    gone: '! The address https://{was}/ ends. Tell callers first.',
    other: '! The address https://{was}/ ends, and https://{is}/ takes its place. Tell callers first.',
  },
  defaultAddress: (was, is) => {
    if (is.defaultAddress === 'open') return 'The address that AWS gives to the API opens again.';
    const closes = 'The address that AWS gives to the API is closed, so callers reach only https://{is.domain}/.';
    return was.frontDoor === is.frontDoor ? `! ${closes}` : closes;
  },
  hostedZone: {
    added: 'Route 53 gets a record of {is.domain} in the zone {is}.',
    gone: sameDomain(
      '! The record of {is.domain} in Route 53 is deleted. Enter one yourself, or callers find no address.',
    ),
    other: '! The record of {is.domain} moves from the zone {was} to {is}.',
  },
  certificate: sameDomain('{is.domain} gets another certificate.'),
  access: (_was, { access }) => {
    if (access === 'open') return '! The stage opens: anyone who knows its address can read and change its list.';
    return access === 'signed'
      ? '! Calls must be signed with AWS credentials from now on.'
      : '! Calls need a token of {is.tokenIssuer} from now on.';
  },
  tokenIssuer: stillPeople((was, is) => {
    const refused = '! Tokens must be of {is} from now on. Those of {was} are refused.';
    return was.listBy === 'all' || was.table !== is.table
      ? refused
      : `${refused} Items of those who signed in there stay in the table, unseen.`;
  }),
  tokenAudience: stillPeople('! Tokens must be for "{is}" from now on. Those for "{was}" are refused.'),
  readScope: {
    added: stillPeople('! Reading needs the scope {is} from now on.'),
    gone: stillPeople('! Reading no longer needs the scope {was}.'),
    other: '! Reading needs the scope {is} from now on, no longer {was}.',
  },
  writeScope: {
    added: stillPeople('! Changing items needs the scope {is} from now on.'),
    gone: stillPeople('! Changing items no longer needs the scope {was}, so whoever can read can change.'),
    other: '! Changing items needs the scope {is} from now on, no longer {was}.',
  },
  table: {
    added: '! Items are in the table {is} from now on. Those in memory are lost.',
    gone: "! Items are in memory from now on, and lost with the function's instance. Those in the table {was} stay there, unseen.",
    other: '! Items are in the table {is} from now on. Those in {was} stay there, unseen.',
  },
  listBy: (was, is) => {
    const changes = `! There is ${listsBy(is.listBy)} from now on.`;
    if (!was.table || was.table !== is.table) return changes;
    return `${changes} Items of ${was.listBy === 'all' ? 'the one list' : ownersList(was.listBy)} stay in the table, unseen.`;
  },
  version: (was, is) =>
    was.table || is.table ? undefined : '! The items in memory are lost, because new instances start.',
  corsOrigins: (was, is) => {
    const [gone, added] = [originsOnly(was, is), originsOnly(is, was)];
    const sentences = [
      ...(gone ? [`! Pages of ${gone} may no longer call.`] : []),
      ...(added ? [`Pages of ${added} may call.`] : []),
    ];
    return sentences.join(' ') || undefined;
  },
  tokenClient: {
    added: 'The page gets a button to sign in, as the client {is}.',
    gone: 'The page loses its button to sign in.',
    other: 'The page signs people in as the client {is}, no longer as {was}.',
  },
  reservedConcurrency: (was, is) => {
    if (is.reservedConcurrency === '0') return '! The stage stops, because no instance may run.';
    const again = was.reservedConcurrency === '0' ? 'The stage runs again. ' : '';
    if (!is.reservedConcurrency) return `${again}Only the account limits the number of instances (before: {was}).`;
    const falls = !was.reservedConcurrency || Number(is.reservedConcurrency) < Number(was.reservedConcurrency);
    return `${falls ? '! ' : ''}${again}The limit of instances is {is} (before: ${was.reservedConcurrency || 'none'}).`;
  },
  throttle: {
    added: 'The front door lets {is} requests a second through.',
    gone: '! Nothing throttles {is.frontDoor}: in a flood, each request reaches the function and costs.',
    less: '! The front door lets {is} requests a second through (before: {was}).',
    more: 'The front door lets {is} requests a second through (before: {was}).',
  },
  memorySize: {
    less: '! The function has {is} MB of memory (before: {was}).',
    more: 'The function has {is} MB of memory (before: {was}).',
  },
  timeout: {
    less: '! A request may take {is} seconds (before: {was}).',
    more: 'A request may take {is} seconds (before: {was}).',
  },
  runtime: 'The function runs on {is} (before: {was}).',
  logLevel: (_was, { logLevel }) =>
    logLevel === 'silent' ? '! The function stops writing a log.' : 'The level of the log is {is} (before: {was}).',
  logRetention: {
    less: '! Logs are kept {is} days (before: {was}), and older lines are deleted.',
    more: 'Logs are kept {is} days (before: {was}).',
  },
  accessLog: { added: 'API Gateway writes an access log.', gone: '! The access log is deleted, with its lines.' },
  alarmEmail: {
    added: 'Alarms are mailed to {is}, once the link in the mail of AWS is confirmed.',
    gone: '! The alarms are deleted, so nobody gets a mail when something is wrong.',
    other: '! Alarms are mailed to {is}, once the link in the mail of AWS is confirmed, and no longer to {was}.',
  },
  alarms: (was, is) => {
    const gone = was.alarms.split(', ').filter((id) => !is.alarms.split(', ').includes(id));
    return is.alarmEmail && gone.join('') ? `! Alarms that are deleted: ${gone.join(', ')}.` : undefined;
  },
  dashboard: { added: 'There is a dashboard.', gone: 'The dashboard is deleted.' },
  tracing: { added: 'X-Ray gets traces of requests.', gone: 'X-Ray no longer gets traces.' },
  permissionsBoundary: {
    added: "{is} limits the function's role.",
    gone: (_was, { functionRole }) => (functionRole ? undefined : "! {was} no longer limits the function's role."),
    other: "{is} limits the function's role, in place of {was}.",
  },
  functionRole: {
    added:
      '! The function acts as {is}. Former versions can no longer run, because the role that the stack made is deleted.',
    gone: 'The function acts as a role that the stack makes, no longer as {was}.',
    other: 'The function acts as {is}, no longer as {was}.',
  },
  deploymentRole: {
    added: "! CloudFormation acts as {is} from now on. That can't be taken back, because a stack keeps its role.",
    gone: '! CloudFormation still acts as {was}, because a stack keeps its role. Add deploymentRole again.',
    other: 'CloudFormation acts as {is}, no longer as {was}.',
  },
  deploymentBucket: {
    added:
      "! Deployments are uploaded to {is}. This one ends with an error, because CloudFormation can't delete the bucket it made before while it has files.",
    gone: 'Deployments are uploaded to a bucket that the stack makes, no longer to {was}.',
    other: 'Deployments are uploaded to {is}, no longer to {was}.',
  },
};

/** For something that is there or not, and for numbers. */
interface Kinds {
  readonly added?: Say;
  readonly gone?: Say;
  readonly less?: Say;
  readonly more?: Say;
  readonly other?: Say;
}

function filled(name: keyof Facts, was: Facts, is: Facts): string | undefined {
  const all = SENTENCES[name];
  const say = typeof all === 'object' ? all[kindOf(all, was[name], is[name])] : all;
  const sentence = typeof say === 'function' ? say(was, is) : say;
  return sentence?.replaceAll(/\{(was|is)(?:\.(\w+))?\}/g, (_, when: string, other = name) => {
    return (when === 'was' ? was : is)[other as keyof Facts];
  });
}

function kindOf({ less }: Kinds, was: string, is: string): keyof Kinds {
  if (!was) return 'added';
  if (!is) return 'gone';
  if (!less) return 'other';
  return Number(is) < Number(was) ? 'less' : 'more';
}

function sameDomain(sentence: string): Say {
  return (was, is) => (was.domain === is.domain ? sentence : undefined);
}

/** Only where people signed in before, and still do. */
function stillPeople(say: Say): Say {
  return (was, is) => {
    if (!was.tokenIssuer || !is.tokenIssuer) return undefined;
    return typeof say === 'function' ? say(was, is) : say;
  };
}

function listsBy(claim: string): string {
  if (claim === 'all') return 'one list for all';
  return `a list for each ${claim === 'sub' ? 'person' : claim}`;
}

function ownersList(claim: string): string {
  return `each ${claim === 'sub' ? 'person' : claim}'s list`;
}

/** In words; empty if there are none. */
function originsOnly({ corsOrigins: ones }: Facts, { corsOrigins: others }: Facts): string {
  if (others === '*') return '';
  if (ones === '*') return others ? 'any other origin' : 'any origin';
  const all = others.split(',');
  return ones
    .split(',')
    .filter((origin) => !all.includes(origin))
    .join(', ');
}
