import type { CloudFormationClientConfig, Stack as Described } from '@aws-sdk/client-cloudformation';

/** As far as the project looks into it. */
export interface Template {
  readonly Resources: Record<string, Resource>;
  readonly Outputs: Record<string, { readonly Value: unknown }>;
}

// biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own properties.
export type Resource = { Type: string; Properties: any; DependsOn?: string | string[]; DeletionPolicy?: string };

export interface Stack {
  readonly template: Template;
  /** The role as which CloudFormation acts; undefined if it has the rights of whoever deploys. */
  readonly role: string | undefined;
}

export interface Deployed extends Omit<Stack, 'template'> {
  /** For example, `UPDATE_COMPLETE`. */
  readonly status: string;
  /**
   * Undefined unless the last deployment has succeeded, because AWS doesn't document which template it returns after a
   * failure.
   */
  readonly template: Template | undefined;
}

export interface Deployment {
  readonly stage: string;
  readonly region: string;
  /** Undefined for the first deployment. */
  readonly deployed: Deployed | undefined;
  readonly packaged: Stack;
}

/**
 * @returns Undefined if nothing is deployed under that name.
 * @throws An exception of CloudFormation.
 */
export async function readStack(config: CloudFormationClientConfig, StackName: string): Promise<Deployed | undefined> {
  // No other command needs it.
  const { CloudFormationClient, DescribeStacksCommand, GetTemplateCommand } = await import(
    '@aws-sdk/client-cloudformation'
  );
  const client = new CloudFormationClient(config);
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
    const [{ StackStatus, RoleARN: role }] = Stacks as [Described];
    const status = String(StackStatus);
    // A change set made the stack, and was never executed.
    if (status === 'REVIEW_IN_PROGRESS') return undefined;
    if (!/^(CREATE|UPDATE|IMPORT)_COMPLETE/.test(status)) return { status, role, template: undefined };
    const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName }));
    return { status, role, template: JSON.parse(String(TemplateBody)) };
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'ValidationError' && message.includes('does not exist')) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}

export function idsOf({ Resources }: Template, type: string): string[] {
  return Object.keys(Resources).filter((id) => Resources[id]?.Type === type);
}

/** These get another logical id at each packaging, or with other code or variables. */
const RENAMED = { 'AWS::ApiGateway::Deployment': 'ApiGatewayDeployment', 'AWS::Lambda::Version': 'ApiLambdaVersion' };

/** Replaces what is new at each packaging: the names of these resources, and that of the upload. */
export function normalized(template: Template): Template {
  let text = JSON.stringify(template).replaceAll(/\d{13}-[^/"]*Z/g, 'TIME');
  for (const [type, name] of Object.entries(RENAMED))
    for (const id of idsOf(template, type)) text = text.replaceAll(id, name);
  return JSON.parse(text);
}
