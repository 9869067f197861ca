/**
 * Makes the function's right to the table that keeps the collection; nothing where the collection is in memory. The table
 * itself has a stack of its own: dynamodb-table.yml.
 *
 * @param {object} serverless - What Serverless Framework passes to the functions that make its variables.
 * @returns {Promise<object>} A part of `resources`.
 */
module.exports = async ({ resolveConfigurationProperty }) => {
  const { table } = await resolveConfigurationProperty(['custom', 'parameters']);
  if (!table) return {};
  return {
    Resources: {
      TodoTablePolicy: {
        Type: 'AWS::IAM::Policy',
        Properties: {
          // Earlier stacks have the policy under this id and name. Moved into the role, it would be deleted with the old one.
          PolicyName: 'table',
          Roles: [{ Ref: 'ApiRole' }],
          PolicyDocument: {
            Version: '2012-10-17',
            Statement: [
              {
                Effect: 'Allow',
                Action: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
                Resource: {
                  'Fn::Sub': `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/${table}`,
                },
              },
            ],
          },
        },
      },
    },
    // Otherwise requests could come before the function has its right.
    extensions: { ApiLambdaFunction: { DependsOn: ['TodoTablePolicy'] } },
  };
};
