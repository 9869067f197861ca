require('./end-with-shell.cjs');
const { buildService, checkTypes } = require('./child.cjs');
const { prepareEmulator, showAddresses } = require('./emulator.cjs');

/** What `serverless offline` takes besides serverless-offline's options. */
const OPTIONS = {
  watch: { type: 'boolean', usage: 'Builds each change and serves it at once. A debugger can attach.' },
  people: { type: 'boolean', usage: 'With --local: lets two people sign in, and prints their tokens.' },
  local: { type: 'boolean', usage: 'Keeps the items in a DynamoDB of its own, whose data is in .dynamodb/.' },
};

/**
 * Lets each command of Serverless Framework build what it packages, deploys, invokes or serves, so that none uses an old build.
 * The types are checked before anything is packaged.
 */
module.exports = class Plugin {
  constructor(serverless, options) {
    const hooks = {
      'before:package:createDeploymentArtifacts': buildChecked,
      'before:deploy:function:packageFunction': buildChecked,
      'before:invoke:local:invoke': () => buildForInvocation(options),
      // `offline start` does what `offline` does, in steps that have hooks.
      'before:offline:start': () =>
        serverless.pluginManager.spawn('offline:start', { terminateLifecycleAfterExecution: true }),
      'before:offline:start:init': () => prepareEmulator(serverless.service, options),
      'after:offline:start:init': async () => showAddresses(serverless.service, options),
    };
    // Serverless Framework shows the message of such an error, and the stack of any other.
    const fail = (error) => {
      throw error.name === 'Error' ? new serverless.classes.Error(error.message) : error;
    };
    this.commands = { offline: { options: OPTIONS, commands: { start: { options: OPTIONS } } } };
    this.hooks = Object.fromEntries(Object.entries(hooks).map(([name, run]) => [name, () => run().catch(fail)]));
  }
};

async function buildChecked() {
  await checkTypes();
  await buildService();
}

async function buildForInvocation(options) {
  await buildService();
  options.functionObj.handler = 'serverless/invoke-local.handler';
}
