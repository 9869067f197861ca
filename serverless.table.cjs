/**
 * Makes the table that keeps the collection, and the function's right to it; nothing without `todoTable`.
 *
 * @param {object} serverless - What Serverless Framework hands to the functions that make its variables.
 * @returns {Promise<object>} A part of `resources`.
 */
module.exports = async ({ resolveConfigurationProperty }) => {
  const { todoTable, tableRemoval, tableKey } = await resolveConfigurationProperty(['custom', 'parameters']);
  if (!todoTable) return {};
  return {
    Resources: {
      TodoTable: {
        Type: 'AWS::DynamoDB::Table',
        DeletionPolicy: tableRemoval,
        UpdateReplacePolicy: tableRemoval,
        Properties: {
          TableName: todoTable,
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: [
            { AttributeName: 'resource', AttributeType: 'S' },
            { AttributeName: 'key', AttributeType: 'S' },
          ],
          KeySchema: [
            { AttributeName: 'resource', KeyType: 'HASH' },
            { AttributeName: 'key', KeyType: 'RANGE' },
          ],
          // What is left of deleted items goes by itself.
          TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          DeletionProtectionEnabled: tableRemoval === 'Retain',
          // False is DynamoDB's own key, which costs nothing. AWS's managed one is billed by KMS.
          SSESpecification: { SSEEnabled: tableKey === 'aws-managed' },
        },
      },
      TodoTablePolicy: {
        Type: 'AWS::IAM::Policy',
        Properties: {
          PolicyName: 'table',
          Roles: [{ Ref: 'ApiRole' }],
          PolicyDocument: {
            Version: '2012-10-17',
            Statement: [
              {
                Effect: 'Allow',
                Action: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
                Resource: { 'Fn::GetAtt': ['TodoTable', 'Arn'] },
              },
            ],
          },
        },
      },
    },
    // Otherwise requests could come before it has its right.
    extensions: { ApiLambdaFunction: { DependsOn: ['TodoTablePolicy'] } },
  };
};
