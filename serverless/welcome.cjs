const { readFileSync } = require('node:fs');

/**
 * Says where the service is, what keeps its items, and what differs from AWS.
 *
 * @param {string} url - Its URL, without a slash at the end.
 * @param {NodeJS.ProcessEnv} environment - The variables of the function.
 * @returns {string} Some lines.
 */
function welcome(url, { CORS_ORIGINS, TABLE_NAME, AWS_ENDPOINT_URL_DYNAMODB }) {
  const { paths } = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));
  const collections = Object.keys(paths).filter((path) => !path.includes('{'));
  const lines = [
    '',
    `  Page      ${url}/swagger/ui`,
    ...collections.map((path) => `  API       ${url}${path}`),
    `  Document  ${url}/swagger/v1/swagger.json`,
    '',
    TABLE_NAME && TABLE_NAME !== 'none'
      ? `The collection is in the table ${TABLE_NAME} at ${AWS_ENDPOINT_URL_DYNAMODB ?? 'AWS'}.`
      : 'The collection is in memory, and lost when the service stops. Ctrl-C stops it.',
  ];
  if (!CORS_ORIGINS) {
    lines.push(
      'CORS_ORIGINS is not set: on AWS, browsers then keep pages of other origins from reading what the API answers.',
      'Here they can read it all the same, because serverless-offline adds CORS headers of its own.',
    );
  }
  return `${lines.join('\n')}\n`;
}

module.exports = { welcome };
