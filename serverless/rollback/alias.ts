/** The front door calls this alias. It leads to one version of the function, and a rollback moves it to another one. */
export const ALIAS = { name: 'current', logicalId: 'ApiAlias' };

/** As Serverless Framework has it in memory. */
export interface PackagedFunction {
  readonly name: string;
  /** Permissions, integrations and URLs that are made from now on refer to it. */
  targetAlias?: typeof ALIAS;
  /** There once the function is in the template. */
  readonly versionLogicalId?: string;
}

/**
 * Adds the alias to the template. Serverless Framework makes one only with other features, for example provisioned
 * concurrency.
 *
 * @param lambda - Its version is in the template.
 * @param resources - Of the template; they are changed.
 */
export function addAlias({ versionLogicalId = '' }: PackagedFunction, resources: Record<string, object>): void {
  // Versions are kept, to go back to. But the one of a failed deployment must go, because Lambda makes no second
  // version of the same code and variables, so deploying it again would fail.
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
