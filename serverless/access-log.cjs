/**
 * Makes the log of what API Gateway answers. REST APIs and HTTP APIs share it, so it stays when one replaces the other.
 *
 * @param {string} accessLog - The parameter; nothing is made unless it is `true`.
 * @param {string} name - The service and the stage.
 * @param {number} retention - How many days lines are kept.
 * @returns {object} The `resources`, and the `settings` of the stage; undefined without a log.
 */
module.exports.makeAccessLog = (accessLog, name, retention) => {
  if (accessLog !== 'true') return {};
  return {
    resources: {
      AccessLog: {
        Type: 'AWS::Logs::LogGroup',
        // Explicit, because the log is deleted with the parameter.
        DeletionPolicy: 'Delete',
        UpdateReplacePolicy: 'Delete',
        // Not named /aws/api-gateway/SERVICE-STAGE: Serverless Framework deletes the group of that name at each deployment.
        Properties: { LogGroupName: `/aws/api-gateway/${name}-access`, RetentionInDays: retention },
      },
    },
    settings: { DestinationArn: { 'Fn::GetAtt': ['AccessLog', 'Arn'] }, Format: JSON.stringify(LINE) },
  };
};

/** A line of the log. Like the function's own lines, it has neither path nor address. */
const LINE = {
  timestamp: '$context.requestTime',
  requestId: '$context.requestId',
  method: '$context.httpMethod',
  status: '$context.status',
  error: '$context.error.responseType',
  // The same as in the function's log. Lambda's own status is 429 where the instance was busy; where the function failed, it is
  // 200, and there is an error.
  awsRequestId: '$context.integration.requestId',
  integrationStatus: '$context.integration.integrationStatus',
  integrationError: '$context.integration.error',
  duration: '$context.responseLatency',
  bytes: '$context.responseLength',
};
