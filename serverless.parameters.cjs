/**
 * Reads the parameters of a deployment, and refuses those that are wrong before anything is packaged or started.
 *
 * @param {object} serverless - What Serverless Framework hands to the functions that make its variables.
 * @returns {Promise<object>} The parameters by name, as text, and `reservedInstances`, which follows from them.
 * @throws Error naming each parameter that is wrong or unknown, and what it takes.
 */
module.exports = async ({ options, resolveVariable }) => {
  const entries = Object.keys(PARAMETERS).map(async (name) => [name, String(await resolveVariable(`param:${name}`))]);
  const parameters = Object.fromEntries(await Promise.all(entries));
  const faults = [...unknown([options.param ?? []].flat()), ...wrong(parameters)];
  // Without a stack, which Serverless Framework would print instead of the message alone.
  if (faults.length > 0) throw Object.assign(new Error(), { stack: `\n${faults.join('\n')}` });
  return { ...parameters, reservedInstances: reservedInstances(parameters) };
};

/** What each takes, in words and as a check. The function checks the first three again, when it is loaded. */
const PARAMETERS = {
  corsOrigins: [
    'origins like https://example.com, separated by commas, or * alone',
    (list) => list.trim() === '*' || list.split(',').every(isOrigin),
  ],
  logLevel: ['debug, info, warn, error or silent', oneOf('', 'debug', 'info', 'warn', 'error', 'silent')],
  todoTable: ["a table's name, 3 to 255 of the characters a-z, A-Z, 0-9, _, - and .", matches(/^([\w.-]{3,255})?$/)],
  tableRemoval: ['Retain or Delete', oneOf('Retain', 'Delete')],
  tableKey: ['aws-owned or aws-managed', oneOf('aws-owned', 'aws-managed')],
  reservedConcurrency: ['1 or none', oneOf('1', 'none')],
  alarmEmail: ['an e-mail address', matches(/^([^\s@,]+@[^\s@,]+\.[^\s@,]+)?$/)],
  accessLog: ['true or false', oneOf('true', 'false')],
};

/** Where the environment has a parameter's default. */
const VARIABLES = { corsOrigins: 'CORS_ORIGINS', logLevel: 'LOG_LEVEL', todoTable: 'TODO_TABLE' };

function unknown(given) {
  const names = given.map((parameter) => parameter.split('=')[0]);
  const known = Object.keys(PARAMETERS).join(', ');
  return names
    .filter((name) => !(name in PARAMETERS))
    .map((name) => `there is no parameter ${name}: there are ${known}`);
}

function wrong(parameters) {
  return Object.entries(PARAMETERS)
    .filter(([name, [, check]]) => !check(parameters[name]))
    .map(([name, [takes]]) => {
      const source = name in VARIABLES ? ` (it comes from --param, or else from ${VARIABLES[name]})` : '';
      return `${name} is "${parameters[name]}": it takes ${takes}${source}`;
    });
}

/** Only a collection in memory needs all requests to come to the same instance. */
function reservedInstances({ todoTable, reservedConcurrency }) {
  return todoTable || reservedConcurrency === 'none' ? { Ref: 'AWS::NoValue' } : 1;
}

function oneOf(...values) {
  return (value) => values.includes(value);
}

function matches(pattern) {
  return (value) => pattern.test(value);
}

function isOrigin(text) {
  const origin = text.trim();
  return origin === '' || (origin.length <= 267 && URL.canParse(origin) && new URL(origin).origin === origin);
}
