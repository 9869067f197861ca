/** What each parameter takes, as a pattern and in words. */
const FORMS = {
  region: [/^[a-z]+(-[a-z]+)+-\d$/, 'a region, such as eu-central-1'],
  table: [/^[\w.-]{3,255}$/, 'none, or the name of a table (3 to 255 of a-z A-Z 0-9 _ - .)'],
  tokenIssuer: [/^(none$|https:)(?!.*\.well-known)/, 'none, or an https URL without /.well-known/…'],

  tokenAudience: [/\S/, 'the aud of the tokens, in quotes if it looks like a number'],
  listBy: [/^(?!(All|ALL|iss|aud|exp|iat|nbf|jti)$)/, 'all, or a claim that tells lists apart'],
  readScope: [/\S/, 'one scope'],
  writeScope: [/\S/, 'one scope'],
  corsOrigins: [/[^\s,]/, 'origins in one text, separated by commas'],
  alarmEmail: [/^[^\s@,;:<>"]+@([a-z\d-]+\.)+[a-z\d-]{2,}$/i, 'one email address'],
  domain: [/^([a-z\d]+(-+[a-z\d]+)*\.)+([a-z]{2,}|xn--[a-z\d-]+)$/, 'a host name in lower case, without https://'],
  certificate: [/^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/, 'the ARN of a certificate'],
  hostedZone: [/^Z[A-Z\d]{1,31}$/, 'the id of a zone, such as Z0123456789ABC'],
  deploymentRole: [/^arn:aws[\w-]*:iam::\d{12}:role\/(\S+\/)?[\w+=,.@-]{1,64}$/, 'the ARN of a role'],
  permissionsBoundary: [/^(arn:aws[\w-]*:iam::\w+:policy\/\S+|{"Fn::(Sub|ImportValue)".+)$/, 'the ARN of a policy'],
  reservedConcurrency: [/^(\d+|{"Ref":"AWS::NoValue"})$/, 'a whole number (0 stops the stage), or !Ref AWS::NoValue'],

  frontDoor: [/^(rest|http)$/, 'rest or http'],
  throttle: [/^[1-9]\d*$/, 'a whole number from 1 (to stop the stage, set reservedConcurrency to 0)'],
  deletionProtection: [/^(true|false|{"stages":\[.+]})$/, 'true, false, or { stages: [names of stages] }'],
};

const REQUIRED = ['region', 'table', 'tokenIssuer'];
/** If default set these, a stage could get them by mistake. */
const PER_STAGE = ['table', 'tokenIssuer', 'domain'];
/** All others must be text: YAML would read 0123 as 83. */
const NOT_ONLY_TEXT = ['permissionsBoundary', 'reservedConcurrency', 'throttle', 'deletionProtection'];
const SIGN_IN = ['tokenIssuer', 'tokenAudience', 'listBy', 'readScope', 'writeScope'];

/**
 * Finds what would open a stage, lose its items, silence its alarms, or fail in the middle of its deployment.
 *
 * @param {{ service: string, params: object }} configuration - With all variables resolved, except in other stages.
 * @param {{ region?: string, param?: readonly string[] }} options - Those of the command line.
 * @returns {string[]} The faults in sentences.
 */
function findFaults({ service, params }, stage, options) {
  const { default: defaults, [stage]: _, ...others } = params;
  const given = readGiven(params, stage, options);
  const values = { ...defaults, ...given };
  const misplaced = PER_STAGE.filter((name) => defaults[name] != null);
  const faults = [
    ...misplaced.map((name) => `${name} is set under default: set it in each stage`),
    ...Object.keys(values).flatMap((name) => findFaultOfValue(name, values[name], Object.hasOwn(given, name)) ?? []),
  ];
  if (faults.length > 0) return faults;
  return [
    ...findFaultsTogether(values, service, stage, Object.keys(others)),
    ...Object.entries(others).flatMap(([name, block]) => findFaultsBetween(values, name, { ...defaults, ...block })),
  ];
}

/** What the stage and the command line set. The command line comes first. */
function readGiven(params, stage, { region, param = [] }) {
  const options = param.map((text) => text.trimEnd().split(/=(.*)/s));
  return { ...params[stage], ...Object.fromEntries(options), ...(region && { region }) };
}

function findFaultOfValue(name, value, isGiven) {
  if (!Object.hasOwn(FORMS, name)) return `There is no parameter ${name}: the block default lists all`;
  const [form, words] = FORMS[name];
  const isRequired = REQUIRED.includes(name);
  if (value == null && !isGiven) return isRequired ? `${name} is missing: it must be ${words}` : undefined;
  const must = `it must be ${words}${isRequired ? '' : ', or left out'}`;
  if (value == null || value === '') return `${name} has no value: ${must}`;
  const text = toText(value);
  const isOff = /^(null|off|no|none)$/i.test(text) && !(text === 'none' && isRequired);
  // `${…}` that is still there is for CloudFormation, which doesn't resolve it in plain text.
  const isText = typeof value === 'string' && !text.includes('${');
  if (form.test(text) && !isOff && (isText || NOT_ONLY_TEXT.includes(name))) return undefined;
  const type = Array.isArray(value) ? 'list' : typeof value;
  return `${name} is ${type === 'string' ? `"${text}"` : `the ${type} ${text}`}: ${must}`;
}

function toText(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Parameters that don't fit together, or belong to another stage. */
function findFaultsTogether(values, service, stage, others) {
  const { region, table, reservedConcurrency, domain, certificate, hostedZone, deploymentRole } = values;
  const longest = 64 - `${service}--api`.length; // so that the function's name fits
  // pipeline.yml gives the role and the boundary these names.
  const roleOf = others.find((name) => deploymentRole?.endsWith(`/cloudformation-${service}-${name}`));
  const boundaryOf = others.find((name) =>
    toText(values.permissionsBoundary)?.includes(`/${service}-${name}-boundary`),
  );
  const unknown = values.deletionProtection?.stages?.find((name) => ![stage, ...others].includes(name));
  return [
    stage.length > longest && `The stage's name has ${stage.length} characters: it must have at most ${longest}`,
    table === 'none' &&
      reservedConcurrency > 1 &&
      `reservedConcurrency is ${reservedConcurrency}, but in memory each instance has its own list: leave it out`,
    domain && certificate?.split(':')[3] !== region && `domain is "${domain}": it needs a certificate in ${region}`,
    hostedZone && !domain && `hostedZone is "${hostedZone}": it needs a domain`,
    roleOf && `deploymentRole belongs to the stage ${roleOf}: set the role of ${stage}`,
    boundaryOf && `permissionsBoundary belongs to the stage ${boundaryOf}: set the boundary of ${stage}`,
    unknown && `deletionProtection names the stage ${unknown}, which does not exist`,
  ].filter(Boolean);
}

/** Anyone who can call a stage reaches its table, so stages with the same table must let in the same people, to the same lists. */
function findFaultsBetween(values, name, other) {
  const hasTable = ({ table }) => table != null && table !== 'none';
  const mayBeSame = (parameter) =>
    other[parameter] == null || other[parameter] === values[parameter] || toText(other[parameter]).includes('${');
  if (!hasTable(values) || !hasTable(other) || !mayBeSame('table') || !mayBeSame('region')) return [];
  const effect = (block, parameter) => block[parameter] ?? (parameter === 'listBy' ? 'sub' : 'left out');
  const differences = SIGN_IN.filter((parameter) => effect(values, parameter) !== effect(other, parameter))
    .map((parameter) => `${parameter} is ${effect(values, parameter)} here, and ${effect(other, parameter)} there`)
    .join('; ');
  const rule = 'set the same in both, without variables, or use another table';
  return differences ? [`The stage ${name} has the same table, ${other.table}, but ${differences}: ${rule}`] : [];
}

/** Says who may do what in a stage, and who gets alarms. */
function describeStage({ params }, stage, options) {
  const values = { ...params.default, ...readGiven(params, stage, options) };
  const { region, table, tokenIssuer, tokenAudience, listBy, readScope, writeScope, alarmEmail } = values;
  const list = { all: 'the one list', sub: 'their own list' }[listBy ?? 'sub'] ?? `the list of their ${listBy}`;
  const needed = (scope) => (scope ? ` with the scope ${scope}` : '');
  const who =
    tokenIssuer === 'none'
      ? 'Anyone can read and change the one list.'
      : `Anyone with a token from ${tokenIssuer} for ${tokenAudience} can read ${list}${needed(readScope)}, ` +
        `and change it${needed(writeScope)}.`;
  return `The stage ${stage} in ${region} keeps its items ${table === 'none' ? 'in memory' : `in the table ${table}`}.
${who}
${alarmEmail ? `Alarms go to ${alarmEmail}.` : 'Nobody gets alarms.'}`;
}

module.exports = { describeStage, findFaults };
