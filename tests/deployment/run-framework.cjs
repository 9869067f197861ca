// Does what the command line of Serverless Framework does, for many stages in one process, because loading it takes longer
// than packaging. Standard input is a list of the test's cases, standard output one of { result } or { error }.
const { text } = require('node:stream/consumers');
const Serverless = require('serverless/lib/serverless');
const readYaml = require('serverless/lib/configuration/read');

const variables = (file) => require(`serverless/lib/configuration/variables/${file}`);
const source = (file) => variables(`sources/${file}`);
const serviceDir = process.cwd();
const configurationFilename = 'serverless.yml';

(async () => {
  const results = [];
  for (const { env = {}, ...input } of JSON.parse(await text(process.stdin))) {
    Object.assign(process.env, env);
    try {
      results.push({ result: await run(input) });
    } catch ({ message }) {
      results.push({ error: message });
    }
    for (const name of Object.keys(env)) delete process.env[name];
  }
  process.stdout.write(JSON.stringify(results));
})();

/** Gives the template of a command that packages, and undefined after one that only had to start. */
async function run({ command, stage, parameters, defaults, param, aws }) {
  const options = { stage, param, package: process.env.HOME };
  const configuration = await readYaml(`${serviceDir}/${configurationFilename}`);
  const variablesMeta = variables('resolve-meta')(configuration);
  const sources = { env: source('env'), file: source('file'), opt: source('opt'), self: source('self') };
  const resolve = (paths) =>
    variables('resolve')({
      ...{ serviceDir, configuration, variablesMeta, sources, options },
      fulfilledSources: new Set(Object.keys(sources)),
      ...(paths && { propertyPathsToResolve: new Set(paths) }),
    });
  await resolve(['params', 'provider\0stage']);
  Object.assign(configuration.params.default, defaults);
  if (parameters) configuration.params[stage] = parameters;
  const commands = command.split(' ');
  const serverless = new Serverless({
    configuration,
    serviceDir,
    configurationFilename,
    commands,
    options,
    variablesMeta,
  });
  await serverless.init();
  sources.sls = source('instance-dependent/get-sls')(serverless);
  sources.param = source('instance-dependent/param')(serverless);
  await resolve();
  for (const { error } of variablesMeta.values()) if (error) throw error;
  if (aws) return comparedWith(serverless, aws);
  if (command !== 'package') return undefined;
  await serverless.run();
  return serverless.service.provider.compiledCloudFormationTemplate;
}

/** Gives the uploads with which a deployment is compared, if AWS has these and the stack this template. */
async function comparedWith({ pluginManager, providers }, { newest, template }) {
  const deploy = pluginManager.plugins.find(({ getMostRecentObjects }) => getMostRecentObjects);
  deploy.getMostRecentObjects = async () => newest;
  providers.aws.getCloudFormationClient = async () => ({ send: async () => ({ TemplateBody: template }) });
  for (const { hook } of pluginManager.hooks['before:aws:deploy:deploy:checkForChanges']) await hook();
  return deploy.getMostRecentObjects();
}
