/**
 * What serverless.yml adds to the API's deployment, whose name in the template is new each time.
 *
 * @param {{ resolveVariable(address: string): Promise<string> }} serverless - The way to serverless.yml's variables.
 * @returns {Promise<object>} The extension, by the resource's name.
 */
module.exports = async ({ resolveVariable }) => ({
  [`ApiGatewayDeployment${await resolveVariable('sls:instanceId')}`]: {
    // A deployment is a copy of the API as it is at that moment.
    DependsOn: [
      'BusyResponse',
      'ThrottledResponse',
      'TimeoutResponse',
      'TooLargeResponse',
      'UnroutedResponse',
      'ClientErrorResponse',
      'ServerErrorResponse',
    ],
    Properties: {
      StageDescription: {
        // Bounds what a flood of requests can cost.
        MethodSettings: [{ HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 100, ThrottlingBurstLimit: 50 }],
      },
    },
  },
});
