/**
 * Reads the parameters of a stage, and checks what CloudFormation would not notice, or only in the middle of a deployment.
 *
 * @param configuration - serverless.yml with serverless/stages.yml, before `${param:…}` is resolved.
 * @param {{ stage: string, isServed: boolean, param?: string[] }} input - Of the command line.
 * @returns {{ values: Record<string, string>, findFaults: () => string[] }} The faults in sentences.
 */
module.exports = function readParameters({ params, provider }, { stage, isServed, param = [] }) {
  const { default: known, [stage]: block } = params;
  const given = [...Object.entries(block ?? {}), ...param.map((text) => text.split(/=(.*)/s))];
  // Serverless Framework takes null as not given.
  const said = Object.fromEntries(given.filter(([, value]) => value != null));
  const values = mapValues({ ...known, ...said }, String);
  const variables = mapValues(provider.environment, (text) => /\{param:(\w+)/.exec(text)?.[1]);

  const findFaults = () => {
    const { table, reservedConcurrency, frontDoor, domain, certificate } = values;
    const unknown = Object.keys(said).filter((name) => !Object.hasOwn(known, name));
    const isMissing = (name) => values[name] === 'required' || (values[name] === '' && !isServed);
    const own = { table: 'required', tokenIssuer: 'required', domain: 'none' };
    const shared = Object.keys(own).filter((name) => known[name] !== own[name]);
    // Who forgets --stage would otherwise put an API that is open before the table of another stage.
    const ofShell = Object.keys(variables).filter((name) => stage === 'dev' && !isServed && process.env[name]);
    const faults = [
      ...unknown.map((name) => `${name} is unknown: all parameters are under default`),
      ...Object.keys(known)
        .filter(isMissing)
        .map((name) => `${name} must be given`),
      ...shared.map((name) => `${name} is under default, where stages would get it unsaid: give it in each stage`),
      ...ofShell.map((name) => `${variables[name]} is ${name} of this shell: unset it, or name another --stage`),
    ];
    if (table === 'none' && Number(reservedConcurrency) > 1)
      faults.push('reservedConcurrency is above 1, but without a table each instance has another list: say default');
    if (!['rest', 'http'].includes(frontDoor)) faults.push(`frontDoor is "${frontDoor}": it takes rest or http`);
    if (domain !== 'none' && certificate === 'none') faults.push('domain is set, but needs a certificate');
    return faults.length > 0 ? faults : refusedByFunction(variables, values, isServed);
  };
  return { values, findFaults };
};

/** What the function itself refuses, in its words. */
function refusedByFunction(variables, values, isServed) {
  const { readConfiguration } = require('tsx/cjs/api').require('../functions/configuration.ts', __filename);
  const others = isServed ? process.env : { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  try {
    readConfiguration({ ...others, AWS_REGION: values.region, ...mapValues(variables, (name) => values[name]) });
    return [];
  } catch ({ message }) {
    return [message.replace(/\b[A-Z_]+\b/g, (word) => (variables[word] ? `${variables[word]} (${word})` : word))];
  }
}

const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
