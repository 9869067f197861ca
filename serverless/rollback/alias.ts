/** What the front door calls instead of the function: it leads to one of its versions, and a rollback moves it to another one. */
export const ALIAS = { name: 'current', logicalId: 'ApiAlias' };

/** A function as Serverless Framework has it in memory. */
export interface PackagedFunction {
  readonly name: string;
  /** What permissions, integrations and URLs made from now on refer to. */
  targetAlias?: typeof ALIAS;
  /** There once the function is in the template. */
  readonly versionLogicalId?: string;
}

/**
 * Adds the alias to the template. Serverless Framework makes one only with other features, such as provisioned concurrency.
 *
 * @param lambda - The function, whose version is in the template.
 * @param resources - Those of the template, which are changed.
 */
export function addAlias({ versionLogicalId = '' }: PackagedFunction, resources: Record<string, object>): void {
  // Versions are kept, to go back to. But the one of a deployment that failed must go, or deploying it again would fail: Lambda
  // makes no second version of the same code and variables.
  resources[versionLogicalId] = { ...resources[versionLogicalId], DeletionPolicy: 'RetainExceptOnCreate' };
  resources[ALIAS.logicalId] = {
    Type: 'AWS::Lambda::Alias',
    Properties: {
      Name: ALIAS.name,
      FunctionName: { Ref: 'ApiLambdaFunction' },
      FunctionVersion: { 'Fn::GetAtt': [versionLogicalId, 'Version'] },
    },
  };
}
