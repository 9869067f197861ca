/**
 * Checks the parameters of a stage for what CloudFormation would not notice, or only in the middle of a deployment.
 *
 * @param configuration - serverless.yml with serverless/stages.yml, in which `${param:…}` is not resolved yet.
 * @param {{ stage: string, isServed: boolean, env: object, param?: string[] }} input - Of the command line.
 * @param readConfiguration - The function's own check.
 * @returns {string[]} The faults in sentences.
 */
module.exports = function findFaults({ params, provider }, { stage, isServed, env, param = [] }, readConfiguration) {
  const { default: known, [stage]: block, ...others } = params;
  const given = [...Object.entries(block ?? {}), ...param.map((text) => text.split(/=(.*)/s))];
  // Serverless Framework takes null as not given.
  const said = Object.fromEntries(given.filter(([, value]) => value != null));
  const values = mapValues({ ...known, ...said }, (value) => String(value ?? 'none'));
  // { TABLE_NAME: 'table', … }, from serverless.yml's environment.
  const variables = mapValues(provider.environment, (text) => /\{param:(\w+)/.exec(text)?.[1]);

  const { table, tokenIssuer, listBy, reservedConcurrency, frontDoor, domain, certificate, hostedZone } = values;
  const unknown = Object.keys(said).filter((name) => !Object.hasOwn(known, name));
  const isMissing = (name) => values[name] === 'required' || (values[name] === '' && !isServed);
  const own = { table: 'required', tokenIssuer: 'required', domain: 'none' };
  const shared = Object.keys(own).filter((name) => known[name] !== own[name]);
  const sharing = Object.keys(others).filter((name) => {
    const other = { ...known, ...others[name] };
    return table !== 'none' && other.table === table && (other.tokenIssuer !== tokenIssuer || other.listBy !== listBy);
  });
  // Who forgets --stage would otherwise put an API that is open before the table of another stage.
  const ofShell = Object.keys(variables).filter((name) => stage === 'dev' && !isServed && env[name]);
  const faults = [
    ...unknown.map((name) => `${name} is unknown: all parameters are under default`),
    ...Object.keys(known)
      .filter(isMissing)
      .map((name) => `${name} must be given`),
    ...shared.map((name) => `${name} is under default, where stages would get it unsaid: give it in each stage`),
    ...ofShell.map((name) => `${variables[name]} is ${name} of this shell: unset it, or name another --stage`),
    ...sharing.map((name) => `table is also that of ${name}, so tokenIssuer and listBy must be those of ${name}, too`),
  ];
  if (table === 'none' && Number(reservedConcurrency) > 1)
    faults.push('reservedConcurrency is above 1, but without a table each instance has another list: leave it out');
  if (!['rest', 'http'].includes(frontDoor)) faults.push(`frontDoor is "${frontDoor}": it takes rest or http`);
  if (domain !== 'none' && certificate === 'none') faults.push('domain is set, but needs a certificate');
  if (hostedZone !== 'none' && domain === 'none') faults.push('hostedZone is set, but needs a domain');
  return faults.length > 0 ? faults : refusedByFunction(variables, values, readConfiguration);
};

/** What the function itself refuses, in its words. */
function refusedByFunction(variables, values, readConfiguration) {
  try {
    readConfiguration(mapValues(variables, (name) => values[name]));
    return [];
  } catch ({ message }) {
    return [message.replace(/\b[A-Z_]+\b/g, (word) => (variables[word] ? `${variables[word]} (${word})` : word))];
  }
}

const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
