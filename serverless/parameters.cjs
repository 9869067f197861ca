/**
 * Reads the parameters of a deployment, and rejects those that are wrong before anything is packaged or started.
 *
 * @param {object} serverless - What Serverless Framework passes to the functions that make its variables.
 * @returns {Promise<object>} The parameters by name, as text, `table` empty where the collection is in memory; and
 *   `reservedInstances`, which follows from them.
 * @throws Error naming each parameter that is wrong, unknown or missing, and what it takes.
 */
module.exports = async ({ options, resolveVariable, resolveConfigurationProperty }) => {
  const stage = await resolveVariable('sls:stage');
  const entries = Object.keys(PARAMETERS).map(async (name) => [name, String(await resolveVariable(`param:${name}`))]);
  const parameters = Object.fromEntries(await Promise.all(entries));
  const blocks = await resolveConfigurationProperty(['params']);
  const faults = [
    ...unknown(
      '--param',
      [options.param ?? []].flat().map((parameter) => parameter.split('=')[0]),
    ),
    ...Object.entries(blocks).flatMap(([block, given]) => unknown(`params.${block}`, Object.keys(given ?? {}))),
    ...(blocks.default.table ? ['params.default has a table, which all stages would share: name one in each'] : []),
    ...(stage === 'dev' && process.env.TODO_TABLE ? ['TODO_TABLE is now called TABLE_NAME: set that instead'] : []),
    ...wrong(parameters),
    ...(stage === 'dev' || parameters.table ? [] : [collectionMissing(stage)]),
  ];
  // Without a stack, which Serverless Framework would print instead of the message alone.
  if (faults.length > 0) throw Object.assign(new Error(), { stack: `\n${faults.join('\n')}` });
  const table = parameters.table === 'none' ? '' : parameters.table;
  return { ...parameters, table, reservedInstances: reservedInstances(table, parameters.reservedConcurrency) };
};

/** What each takes, in words and as a check. The function checks the first three again, when it is loaded. */
const PARAMETERS = {
  corsOrigins: [
    'origins like https://example.com, separated by commas, or * alone',
    (list) => list.trim() === '*' || list.split(',').every(isOrigin),
  ],
  logLevel: ['debug, info, warn, error or silent', oneOf('', 'debug', 'info', 'warn', 'error', 'silent')],
  table: [
    "a table's name (3 to 255 of the characters a-z, A-Z, 0-9, _, - and .), or none",
    matches(/^([\w.-]{3,255})?$/),
  ],
  reservedConcurrency: ['1 or none', oneOf('1', 'none')],
  alarmEmail: ['an e-mail address', matches(/^([^\s@,]+@[^\s@,]+\.[^\s@,]+)?$/)],
  accessLog: ['true or false', oneOf('true', 'false')],
};

/** The variables from which the stage dev takes its defaults. */
const VARIABLES = { corsOrigins: 'CORS_ORIGINS', logLevel: 'LOG_LEVEL', table: 'TABLE_NAME' };

function unknown(location, names) {
  const known = Object.keys(PARAMETERS).join(', ');
  return names
    .filter((name) => !Object.hasOwn(PARAMETERS, name))
    .map((name) =>
      name === 'todoTable'
        ? `${location} has todoTable, which is now called table: rename it`
        : `${location} has ${name}, which is no parameter: there are ${known}`,
    );
}

function wrong(parameters) {
  return Object.entries(PARAMETERS)
    .filter(([name, [, check]]) => !check(parameters[name]))
    .map(([name, [takes]]) => {
      const variable = name in VARIABLES ? ` (the stage dev takes it from ${VARIABLES[name]})` : '';
      return `${name} is "${parameters[name]}": it takes ${takes}${variable}`;
    });
}

/** Were memory the default, a deployment that forgets the table would move the service away from its data. */
function collectionMissing(stage) {
  return `Nothing says where the stage ${stage} keeps its collection. Add to params in serverless.yml, for a table (docs/dynamodb.md):

  ${stage}:
    table: items-${stage}

or, for a collection in memory, which is lost with the function's instance:

  ${stage}:
    table: none
`;
}

/** Only a collection in memory needs all requests to come to the same instance. */
function reservedInstances(table, reservedConcurrency) {
  return table || reservedConcurrency === 'none' ? { Ref: 'AWS::NoValue' } : 1;
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
