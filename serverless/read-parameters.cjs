const { PARAMETERS, CONFLICTS } = require('./parameters.cjs');

/**
 * Reads the parameters of a deployment, and rejects those that are wrong before anything is packaged or started.
 *
 * @param {object} serverless - What Serverless Framework passes to the functions that make its variables.
 * @returns {Promise<object>} The parameters by name, as text, `table` empty where the items are in memory; and what follows from
 *   them: the function's `environment` and `reservedInstances`, and the `boundary` of its role.
 * @throws Error naming each parameter that is wrong, unknown or missing, and what it takes.
 */
module.exports = async ({ options, resolveVariable, resolveConfigurationProperty }) => {
  const stage = await resolveVariable('sls:stage');
  const blocks = await resolveConfigurationProperty(['params']);
  const fromCommand = [options.param ?? []].flat().map((parameter) => parameter.split('=')[0]);
  const read = async (name, { default: otherwise, variable }) => {
    const shell = stage === 'dev' && !fromCommand.includes(name) ? process.env[variable] : undefined;
    return [name, String(shell ?? (await resolveVariable(`param:${name}, ''`))) || otherwise];
  };
  const entries = await Promise.all(Object.entries(PARAMETERS).map(([name, parameter]) => read(name, parameter)));
  const parameters = Object.fromEntries(entries);
  if (options.local) parameters.table = LOCAL_TABLE;
  const faults = [
    ...unknown('--param', fromCommand),
    ...Object.entries(blocks).flatMap(([block, values]) => unknown(block, Object.keys(values ?? {}))),
    ...(blocks.default?.table ? ['default has a table, which all stages would share: name one in each'] : []),
    ...(stage === 'dev' && process.env.TODO_TABLE ? ['TODO_TABLE is now called TABLE_NAME: set that instead'] : []),
    ...wrong(parameters),
    ...CONFLICTS.filter(({ between }) => between(parameters)).map(({ reason }) => reason),
    ...(stage === 'dev' || parameters.table ? [] : [tableMissing(stage)]),
    ...(stage === 'dev' || parameters.tokenIssuer ? [] : [issuerMissing(stage)]),
  ];
  // Without a stack, which Serverless Framework would print instead of the message alone.
  if (faults.length > 0) throw Object.assign(new Error(), { stack: `\n${faults.join('\n')}` });
  const unset = Object.entries(parameters).filter(([name, value]) => PARAMETERS[name].variable && value === 'none');
  return derived({ ...parameters, ...Object.fromEntries(unset.map(([name]) => [name, ''])) });
};

/** `npm run local` names its table later, when it is there. */
const LOCAL_TABLE = 'local';

function unknown(location, names) {
  return names
    .filter((name) => !Object.hasOwn(PARAMETERS, name))
    .map((name) =>
      name === 'todoTable'
        ? `${location} has todoTable, which is now called table: rename it`
        : `${location} has ${name}, which is no parameter: there are ${Object.keys(PARAMETERS).join(', ')}`,
    );
}

function wrong(parameters) {
  return Object.entries(PARAMETERS)
    .filter(([name, { accepts }]) => !accepts(parameters[name]))
    .map(([name, { takes, variable }]) => {
      const source = variable ? ` (the stage dev takes it from ${variable})` : '';
      return `${name} is "${parameters[name]}": it takes ${takes}${source}`;
    });
}

/** Were memory the default, a deployment that forgets the table would move the service away from its data. */
function tableMissing(stage) {
  return `Nothing says where the stage ${stage} keeps its items. Add to serverless/stages.yml, for a table (docs/dynamodb.md):

${stage}:
  table: items-${stage}

or, for items in memory, which are lost with the function's instance:

${stage}:
  table: none
`;
}

/** Were an open service the default, a deployment that forgets the issuer would show everybody's items to everybody. */
function issuerMissing(stage) {
  return `Nothing says who may call the stage ${stage}. Add to serverless/stages.yml, for a list for each person who signs in (docs/authorization.md):

${stage}:
  tokenIssuer: https://login.example.com
  tokenAudience: todo

or, for one list that everybody may read and change:

${stage}:
  tokenIssuer: none
`;
}

function derived(parameters) {
  const { table, reservedConcurrency, permissionsBoundary } = parameters;
  const withVariable = Object.entries(PARAMETERS).filter(([, { variable }]) => variable);
  const absent = { Ref: 'AWS::NoValue' };
  return {
    ...parameters,
    environment: {
      ...Object.fromEntries(withVariable.map(([name, { variable }]) => [variable, parameters[name]])),
      // The former name, for this one release: Lambda changes code and variables one after the other, and a rollback brings
      // back code that knows this name alone, and would write to memory.
      TODO_TABLE: table,
    },
    // Only items in memory need all requests to come to the same instance.
    reservedInstances: table || reservedConcurrency === 'none' ? absent : 1,
    boundary: permissionsBoundary || absent,
  };
}
