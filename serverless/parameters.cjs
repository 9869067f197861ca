/** What each parameter takes, also in words; and the variable of the function that it becomes, which checks it further. */
const FORMS = {
  region: [/^[a-z]+(-[a-z]+)+-\d$/, 'a region such as eu-central-1'],
  table: [/^[\w.-]{3,255}$/, "none, or a table's name (3 to 255 of a-z A-Z 0-9 _ - .)", 'TABLE_NAME'],
  tokenIssuer: [/^(none$|https?:)(?!.*\.well-known)/, 'none, or an https URL without /.well-known/…', 'TOKEN_ISSUER'],

  tokenAudience: [/./, "what the tokens have in aud, in quotes if it's a number", 'TOKEN_AUDIENCE'],
  listBy: [/^(?!(All|ALL|iss|aud|exp|iat|nbf|jti)$)/, 'all, or a claim that tells people apart', 'LIST_BY'],
  readScope: [/./, 'one scope', 'TOKEN_READ_SCOPE'],
  writeScope: [/./, 'one scope', 'TOKEN_WRITE_SCOPE'],
  corsOrigins: [/[^\s,]/, 'origins, separated by commas, in one text', 'CORS_ORIGINS'],
  alarmEmail: [/^[^\s@,;:<>"]+@([a-z\d-]+\.)+[a-z\d-]{2,}$/i, 'one email address'],
  domain: [
    /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+([a-z]{2,}|xn--[a-z\d-]+)$/,
    'a host name in small letters, such as api.example.com',
  ],
  certificate: [/^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/, 'the ARN of a certificate'],
  hostedZone: [/^Z[A-Z\d]{1,31}$/, 'the id of a zone, such as Z0123456789ABC'],
  deploymentRole: [/^arn:aws[\w-]*:iam::\d{12}:role\/(\S+\/)?[\w+=,.@-]{1,64}$/, 'the ARN of a role'],
  permissionsBoundary: [/^arn:aws[\w-]*:iam::(\d{12}|aws):policy\/\S+$/, 'the ARN of a policy'],
  reservedConcurrency: [/^(\d+|{"Ref":"AWS::NoValue"})$/, 'a whole number (0 stops the stage), or !Ref AWS::NoValue'],

  frontDoor: [/^(rest|http)$/, 'rest or http'],
  throttle: [/^[1-9]\d*$/, 'a whole number from 1 (reservedConcurrency: 0 stops a stage)'],
  deletionProtection: [/^(true|false|{"stages":\[.+]})$/, 'true, false, or { stages: [those to protect] }'],
};

/** Each stage gives these. */
const REQUIRED = ['region', 'table', 'tokenIssuer'];
/** Under default, stages would get these unsaid. */
const OF_EACH_STAGE = ['table', 'tokenIssuer', 'domain'];
/** Who may what. */
const SIGN_IN = ['tokenIssuer', 'tokenAudience', 'listBy', 'readScope', 'writeScope'];
/** All others are text, also where YAML reads a number. */
const NOT_TEXT = ['reservedConcurrency', 'throttle', 'deletionProtection'];
/** Words for what is left out instead, and variables that nobody resolves. */
const OFF = /^(null|off|no|none)$|\$\{/i;

/**
 * Finds what would be open, lost or silent, or fail in the middle of a deployment. Variables of other stages are not resolved.
 *
 * @param {{ service: string, params: object }} configuration - serverless.yml with serverless/stages.yml.
 * @param {{ stage: string, isServed: boolean, env: object, region?: string, param?: string[] }} input - Of the command line.
 * @returns {string[]} The faults in sentences.
 */
module.exports = function findFaults({ service, params }, input, readConfiguration) {
  const { default: defaults, [input.stage]: block, ...others } = params;
  const options = (input.param ?? []).map((text) => text.split(/=(.*)/s));
  if (input.region !== undefined) options.push(['region', input.region]);
  const given = { ...block, ...Object.fromEntries(options) };
  const values = { ...defaults, ...given };
  const names = Object.keys(others);
  const faults = Object.keys(values).flatMap((name) => faultOf(name, defaults, given, input) ?? []);
  if (faults.length === 0)
    faults.push(
      ...faultsTogether(values, service, names, input),
      ...names.flatMap((name) => faultsBetween(values, name, { ...defaults, ...others[name] })),
    );
  return faults.length > 0 ? faults : faultsOfFunction(values, readConfiguration);
};

function faultOf(name, defaults, given, { stage, isServed, env }) {
  if (!Object.hasOwn(FORMS, name)) return `${name} is unknown: all parameters are under default`;
  if (OF_EACH_STAGE.includes(name) && defaults[name] != null)
    return `${name} is under default, where stages would get it unsaid: give it in each stage`;
  const [form, takes, variable] = FORMS[name];
  const isOfShell = stage === 'dev' && variable !== undefined;
  // Who forgets to unset it would put an API that is open before the table of another stage.
  if (isOfShell && !isServed && env[variable])
    return `${name} is ${variable} of this shell: unset it, or name another --stage`;

  const value = Object.hasOwn(given, name) ? given[name] : defaults[name];
  const isRequired = REQUIRED.includes(name);
  if (value == null || value === '') {
    if (isOfShell && (isServed || !isRequired)) return undefined;
    if (isRequired) return `${name} must be given: it takes ${takes}`;
    const isLeftOut = value !== '' && !Object.hasOwn(given, name);
    return isLeftOut ? undefined : `${name} has no value: give it one, or leave it out`;
  }
  const isText = typeof value === 'string';
  const text = isText ? value : JSON.stringify(value);
  const isOff = OFF.test(text) && !(text === 'none' && isRequired);
  if ((isText || NOT_TEXT.includes(name)) && form.test(text) && !isOff) return undefined;
  const shown = isText ? `"${text}"` : `the ${Array.isArray(value) ? 'list' : typeof value} ${text}`;
  const called = isOfShell ? `${name} (${variable})` : name;
  return `${called} is ${shown}: it takes ${takes}${isRequired ? '' : ', or is left out'}`;
}

/** What parameters need of each other. */
function faultsTogether(values, service, others, { stage, isServed }) {
  const { region, table, tokenIssuer, reservedConcurrency, deletionProtection } = values;
  const { domain, certificate, hostedZone, deploymentRole, permissionsBoundary } = values;
  const name = `${service}-${stage}-api`;
  // By the names that pipeline.yml gives.
  const role = others.find((other) => deploymentRole?.endsWith(`/cloudformation-${service}-${other}`));
  const boundary = others.find((other) => permissionsBoundary?.endsWith(`/${service}-${other}-boundary`));
  const unknown = deletionProtection?.stages?.find((one) => ![stage, ...others].includes(one));
  const faults = [];
  if (name.length > 64) faults.push(`The stage's name is too long: ${name} has ${name.length} characters, not 64`);
  if (table === 'none' && reservedConcurrency > 1)
    faults.push('reservedConcurrency is above 1, but without a table each instance has another list: leave it out');
  if (tokenIssuer?.startsWith('http:') && !isServed)
    faults.push(`tokenIssuer is "${tokenIssuer}": a stage that is deployed takes an https URL`);
  if (domain && certificate?.split(':')[3] !== region)
    faults.push(`domain is "${domain}": it needs a certificate of ${region}, where the stage is deployed`);
  if (hostedZone && !domain) faults.push(`hostedZone is "${hostedZone}": it needs a domain`);
  if (role) faults.push(`deploymentRole is that of the stage ${role}: it takes this stage's own`);
  if (boundary) faults.push(`permissionsBoundary is that of the stage ${boundary}: it takes this stage's own`);
  if (unknown) faults.push(`deletionProtection has the stage ${unknown}: it takes stages of this file`);
  return faults;
}

/** Whoever one stage lets in has its table, so all that may have the same one let in the same people, to the same lists. */
function faultsBetween(values, name, other) {
  // The second is dev's own, which is none wherever it is deployed.
  const isNoTable = (table) => ['none', `\${env:TABLE_NAME, 'none'}`].includes(table ?? 'none');
  const isOther = (one) => other[one] != null && other[one] !== values[one] && !`${other[one]}`.includes('${');
  if (isNoTable(values.table) || isNoTable(other.table) || isOther('table') || isOther('region')) return [];
  const answer = (stage, one) => `${stage[one] || (one === 'listBy' ? 'sub' : 'nothing')}`;
  const different = SIGN_IN.filter((one) => answer(values, one) !== answer(other, one));
  const rule = `in ${name}, whose table is ${other.table}: with one table, both take the same, without variables`;
  return different.map((one) => `${one} is ${answer(values, one)}, and ${answer(other, one)} ${rule}`);
}

/** What the function itself refuses, in its words. */
function faultsOfFunction(values, readConfiguration) {
  const variables = Object.keys(FORMS).flatMap((name) => (FORMS[name][2] ? [[name, FORMS[name][2]]] : []));
  try {
    readConfiguration(Object.fromEntries(variables.map(([name, variable]) => [variable, values[name]])));
    return [];
  } catch ({ message }) {
    return [variables.reduce((text, [name, variable]) => text.replaceAll(variable, `${name} (${variable})`), message)];
  }
}
