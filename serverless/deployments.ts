import type { CloudFormationClientConfig } from '@aws-sdk/client-cloudformation';
import { LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import { isSame, readStack, type Template } from './changes/stack.js';
import { type FrameworkError, type Hooks, showingMessages } from './hooks.js';
import type { Plan } from './plan/plan.js';
import { ALIAS, addAlias, type PackagedFunction } from './rollback/alias.js';
import { commandTo, type Deployed, readable, rollBack } from './rollback/rollback.js';
import { readAlias } from './rollback/versions.js';

/** What the plugin uses of Serverless Framework. */
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
  readonly pluginManager: { getPlugins(): readonly { readonly gatheredData?: Gathered }[] };
  readonly classes: { readonly Error: FrameworkError };
  getProvider(name: 'aws'): {
    readonly naming: { getStackName(): string };
    getAwsSdkV3Config(): Promise<LambdaClientConfig & CloudFormationClientConfig>;
  };
}

/** What Serverless Framework has read of the stack at the end of a deployment. */
interface Gathered {
  readonly outputs: readonly { readonly OutputKey: string; readonly OutputValue: string }[];
}

/** Options of the command line. */
interface Options {
  readonly to?: string;
  force?: boolean;
}

/** The output of the template that has the ARN of its version. */
const VERSION_OUTPUT = 'ApiLambdaFunctionQualifiedArn';

const OPEN =
  '\nThe stage dev is open: anyone who knows its address can read and change its list. docs/authorization.md says how to close it.';

/** What `npm run rollback` runs. */
const VERSIONS = {
  usage: 'Lists the versions of the function that are kept, or lets callers reach another one',
  lifecycleEvents: ['run'],
  options: {
    to: { type: 'string', usage: 'The number of the version that callers should reach' },
    force: { type: 'boolean', usage: 'With --to: also if the variables of that version differ' },
  },
};

/** Lets the front door call an alias of the function, and refuses commands of Serverless Framework that ignore the alias. */
export default class Plugin {
  readonly commands = { versions: VERSIONS };
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
        refuse(`It would deploy an unread template from the bucket of the deployments. ${goBack}`),
      'before:rollback:function:rollback': () => refuse(`It would change no version that callers reach. ${goBack}`),
      'before:deploy:deploy': async () => {
        // Every other stage says so itself.
        if (stage === 'dev' && service.custom.plan.isOpen) console.log(OPEN);
        options.force ||= await mustBeForced(framework);
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

/**
 * Finds whether Serverless Framework must deploy. By itself it compares with the last uploads, which may be of a deployment that failed, or
 * of anybody who can write to the bucket, and skips what is the same.
 */
async function mustBeForced(framework: Framework): Promise<boolean> {
  const { provider, custom } = framework.service;
  // Its bucket is written to by those who could change nothing else.
  if (custom.plan.deploymentRole) return true;
  const aws = framework.getProvider('aws');
  try {
    const stack = await readStack(await aws.getAwsSdkV3Config(), aws.naming.getStackName());
    return !stack?.template || !isSame(stack.template, provider.compiledCloudFormationTemplate);
  } catch {
    return true;
  }
}

async function deployedFunction(framework: Framework): Promise<Deployed> {
  const lambda = new LambdaClient(await framework.getProvider('aws').getAwsSdkV3Config());
  const { service } = framework;
  return { lambda, name: service.getFunction('api').name, alias: ALIAS.name, stage: service.provider.stage };
}

/**
 * Ends a deployment with the exit code 1 if callers reach another version than it made: after a rollback, the same code and
 * variables make no new version, so the alias stays where it is.
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
