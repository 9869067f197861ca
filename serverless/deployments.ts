import type { CloudFormationClientConfig } from '@aws-sdk/client-cloudformation';
import { LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import { forecast } from './changes/changes.js';
import { readStack, type Template } from './changes/deployed-stack.js';
import { type Asked, obstaclesTo } from './changes/obstacles.js';
import { type FrameworkError, type Hooks, showingMessages } from './hooks.js';
import type { Plan } from './plan/plan.js';
import { ALIAS, addAlias, type PackagedFunction } from './rollback/alias.js';
import { commandTo, type Deployed, readable, rollBack } from './rollback/rollback.js';
import { readAlias } from './rollback/versions.js';

interface Framework {
  readonly service: {
    readonly provider: {
      readonly stage: string;
      readonly compiledCloudFormationTemplate: Template;
    };
    readonly custom: { readonly plan: Plan };
    getFunction(name: string): PackagedFunction;
  };
  readonly processedInput: { readonly commands: readonly string[] };
  readonly pluginManager: {
    getPlugins(): readonly { readonly gatheredData?: Gathered }[];
    spawn(command: string): Promise<void>;
  };
  readonly classes: { readonly Error: FrameworkError };
  getProvider(name: 'aws'): {
    readonly naming: { getStackName(): string };
    getAccountId(): Promise<string>;
    getAwsSdkV3Config(): Promise<LambdaClientConfig & CloudFormationClientConfig>;
  };
}

/** What Serverless Framework read of the stack after the deployment. */
interface Gathered {
  readonly outputs: readonly { readonly OutputKey: string; readonly OutputValue: string }[];
}

interface Options {
  readonly to?: string;
  force?: boolean;
  readonly verbose?: boolean;
  readonly [FAIL]?: boolean;
}

const VERSION_OUTPUT = 'ApiLambdaFunctionQualifiedArn';

const OPEN =
  '\nThe stage dev is open: anyone who knows its address can read and change its list. docs/authorization.md says how to close it.';

const VERSIONS = {
  usage: 'Lists the versions of the function that are kept, or lets callers reach another one',
  lifecycleEvents: ['run'],
  options: {
    to: { type: 'string', usage: 'The number of the version that callers should reach' },
    force: { type: 'boolean', usage: 'With --to: also if the variables of that version differ' },
  },
};

const FAIL = 'fail-on-warning';
const FAILING = { [FAIL]: { type: 'boolean', usage: 'Ends with the exit code 2 if a line begins with "!"' } };

const CHANGES = {
  usage: 'Says what a deployment would change, and changes nothing',
  lifecycleEvents: ['run'],
  options: FAILING,
};

/**
 * Lets the front door call an alias of the function, and refuses commands of Serverless Framework that ignore the
 * alias.
 */
export default class Plugin {
  readonly commands = { changes: CHANGES, deploy: { options: FAILING }, versions: VERSIONS };
  readonly hooks: Hooks;

  constructor(framework: Framework, options: Options) {
    const { service, classes } = framework;
    const { stage } = service.provider;
    const goBack = `To go back: npm run rollback -- --stage ${stage}`;
    const hooks: Hooks = {
      'before:package:compileFunctions': async () => {
        service.getFunction('api').targetAlias = ALIAS;
      },
      'after:package:compileFunctions': async () =>
        addAlias(service.getFunction('api'), service.provider.compiledCloudFormationTemplate.Resources),
      'before:deploy:function:initialize': () =>
        refuse(`It would change no version that callers reach. Deploy the stage: npm run deploy -- --stage ${stage}`),
      'before:rollback:initialize': () =>
        refuse(`It would deploy whatever is in the deployment bucket, unchecked. ${goBack}`),
      'before:rollback:function:rollback': () => refuse(`It would change no version that callers reach. ${goBack}`),
      'before:deploy:deploy': async () => {
        // Every other stage names its sign-in itself.
        if (stage === 'dev' && service.custom.plan.isOpen) console.log(OPEN);
        await announce(framework, options);
      },
      'changes:run': async () => {
        await framework.pluginManager.spawn('package');
        await showChanges(framework, options);
      },
      'versions:run': async () => rollBack(await deployedFunction(framework), options, console.log),
      finalize: () => compareVersions(framework),
    };
    this.hooks = showingMessages(hooks, classes.Error);
  }
}

async function refuse(reason: string): Promise<void> {
  throw new Error(reason);
}

async function readDeployment(framework: Framework): Promise<Asked> {
  const { provider, custom } = framework.service;
  const aws = framework.getProvider('aws');
  const config = await aws.getAwsSdkV3Config();
  const role = custom.plan.deploymentRole ?? undefined;
  return {
    stage: provider.stage,
    region: custom.plan.region,
    deployed: await readStack(config, aws.naming.getStackName()),
    packaged: { template: provider.compiledCloudFormationTemplate, role },
    config,
    account: () => aws.getAccountId(),
  };
}

async function showChanges(framework: Framework, options: Options): Promise<void> {
  const deployment = await readDeployment(framework).catch((error) => {
    throw readable(error, 'CloudFormation');
  });
  const { warns, obstacles } = await printForecast(deployment, options);
  for (const obstacle of obstacles) console.log(`\n! It would end before anything is uploaded. ${obstacle}`);
  if (options[FAIL] && (warns || obstacles.length > 0)) process.exitCode = 2;
}

/**
 * Prints what a deployment changes before anything is uploaded, and ends one that would fail. Makes Serverless
 * Framework deploy every difference. By itself it compares with the last uploads, which may be of a failed deployment,
 * or of anybody who can write to the bucket, and skips what is the same.
 */
async function announce(framework: Framework, options: Options): Promise<void> {
  const deployment = await readDeployment(framework).catch((error) => readable(error, 'CloudFormation'));
  if (deployment instanceof Error) {
    if (options[FAIL]) throw deployment;
    console.log(`! What this deployment changes is unknown. ${deployment.message}`);
    options.force = true;
    return;
  }
  const { warns, none, obstacles } = await printForecast(deployment, options);
  if (obstacles.length > 0) throw new Error(obstacles.join('\n\n'));
  if (warns && options[FAIL]) {
    // Serverless Framework itself ends with 1 after any error.
    process.prependOnceListener('beforeExit', () => {
      process.exitCode = 2;
    });
    throw new Error(`Nothing was deployed, because a line warns and --${FAIL} was given.`);
  }
  // With a role, people may write to the bucket and change nothing else, so an upload may pose as the last deployment.
  if (!none || deployment.packaged.role) options.force = true;
}

/** Prints what a deployment would change, and finds what stands in its way. */
async function printForecast(deployment: Asked, { verbose }: Options) {
  const { lines, ...others } = forecast(deployment, verbose);
  for (const line of lines) console.log(line);
  return { ...others, obstacles: await obstaclesTo(deployment) };
}

async function deployedFunction(framework: Framework): Promise<Deployed> {
  const lambda = new LambdaClient(await framework.getProvider('aws').getAwsSdkV3Config());
  const { service } = framework;
  return { lambda, name: service.getFunction('api').name, alias: ALIAS.name, stage: service.provider.stage };
}

/**
 * Ends a deployment with the exit code 1 if callers reach another version than it made. After a rollback, the same code
 * and variables make no new version, so the alias stays.
 */
async function compareVersions(framework: Framework): Promise<void> {
  if (framework.processedInput.commands.join(' ') !== 'deploy') return;
  const outputs = framework.pluginManager.getPlugins().flatMap(({ gatheredData }) => gatheredData?.outputs ?? []);
  const deployed = outputs
    .find(({ OutputKey }) => OutputKey === VERSION_OUTPUT)
    ?.OutputValue.split(':')
    .at(-1);
  const deployment = await deployedFunction(framework);
  try {
    const { number } = await readAlias(deployment);
    if (number === deployed) return;
    console.log(
      `\nCallers still reach version ${number}, to which a rollback has moved them. To let them reach what is deployed: ${commandTo(deployment.stage, String(deployed))}`,
    );
  } catch (error) {
    console.log(
      `\nThe stack is deployed, but it is unknown which version callers reach. ${readable(error as Error).message}`,
    );
  }
  process.exitCode = 1;
}
