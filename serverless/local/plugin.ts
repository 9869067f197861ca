import './end-with-shell.cjs';
import { type FrameworkError, type Hooks, showingMessages } from '../hooks.js';
import { buildDist, checkTypes } from './child.js';
import { type EmulatedService, type EmulatorOptions, prepareEmulator, showAddresses } from './emulator.js';

/** In addition to serverless-offline's options. */
const OPTIONS = {
  watch: { type: 'boolean', usage: 'Builds each change and serves it at once. A debugger can attach.' },
  people: { type: 'boolean', usage: 'With --local: lets two people sign in, and prints their tokens.' },
  local: { type: 'boolean', usage: 'Keeps the items in a DynamoDB of its own, whose data is in .dynamodb/.' },
};

interface Framework {
  readonly service: EmulatedService;
  readonly pluginManager: { spawn(commands: string, options: object): Promise<void> };
  readonly classes: { readonly Error: FrameworkError };
}

interface Options extends EmulatorOptions {
  /** The function of `serverless invoke local`. */
  readonly functionObj: { handler: string };
}

/**
 * Makes each command of Serverless Framework build what it packages, deploys, invokes or serves, so that none uses an
 * old build. Types are checked before anything is packaged.
 */
export default class Plugin {
  readonly commands = { offline: { options: OPTIONS, commands: { start: { options: OPTIONS } } } };
  readonly hooks: Hooks;

  constructor({ service, pluginManager, classes }: Framework, options: Options) {
    const hooks: Hooks = {
      'before:package:createDeploymentArtifacts': buildChecked,
      'before:invoke:local:invoke': () => buildForInvocation(options),
      // `offline start` does what `offline` does, in steps that have hooks.
      'before:offline:start': () => pluginManager.spawn('offline:start', { terminateLifecycleAfterExecution: true }),
      'before:offline:start:init': () => prepareEmulator(service, options),
      'after:offline:start:init': async () => showAddresses(service, options),
    };
    this.hooks = showingMessages(hooks, classes.Error);
  }
}

async function buildChecked(): Promise<void> {
  await checkTypes();
  await buildDist();
}

async function buildForInvocation({ functionObj }: Options): Promise<void> {
  await buildDist();
  functionObj.handler = 'serverless/local/invoke-local.handler';
}
