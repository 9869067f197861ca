import type { Resources, Stage } from '../stage.js';

/**
 * Makes the log of what API Gateway answers. REST APIs and HTTP APIs share it, so it stays when one replaces the other.
 *
 * @returns `settings` of the API's stage, undefined without a log.
 */
export function makeAccessLog(stage: Stage): { readonly resources: Resources; readonly settings: object | undefined } {
  const { accessLog, name, logRetention } = stage;
  if (!accessLog) return { resources: {}, settings: undefined };
  return {
    resources: {
      AccessLog: {
        Type: 'AWS::Logs::LogGroup',
        // Explicit, because the log is deleted with the parameter.
        DeletionPolicy: 'Delete',
        UpdateReplacePolicy: 'Delete',
        // Logs of HTTP APIs under other names are all listed in one resource policy, which has room for 5,120
        // characters.
        Properties: { LogGroupName: `/aws/vendedlogs/${name}-access`, RetentionInDays: logRetention },
      },
    },
    settings: { DestinationArn: { 'Fn::GetAtt': ['AccessLog', 'Arn'] }, Format: JSON.stringify(LINE) },
  };
}

/** Like the function's own entries, without path and address. */
const LINE = {
  timestamp: '$context.requestTime',
  requestId: '$context.requestId',
  method: '$context.httpMethod',
  status: '$context.status',
  error: '$context.error.responseType',
  // The same as in the function's log. Lambda's own status is 429 if the instance was busy. If the function failed, it
  // is 200, and there is an error.
  awsRequestId: '$context.integration.requestId',
  integrationStatus: '$context.integration.integrationStatus',
  integrationError: '$context.integration.error',
  duration: '$context.responseLatency',
  bytes: '$context.responseLength',
};
