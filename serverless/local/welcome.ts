import { readFileSync } from 'node:fs';

/**
 * The lines that tell where the service is, what keeps its items, and what differs from AWS.
 *
 * @param url - Without a slash at the end.
 * @param tokens - By the name of each person who can sign in.
 */
export function welcome(
  url: string,
  environment: NodeJS.ProcessEnv,
  tokens: Readonly<Record<string, string>> = {},
): string {
  const { CORS_ORIGINS, TABLE_NAME, TOKEN_ISSUER, LIST_BY, AWS_ENDPOINT_URL_DYNAMODB } = environment;
  const { paths } = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));
  const collections = Object.keys(paths).filter((path) => !path.includes('{'));
  const lines = [
    '',
    `  Page      ${url}/swagger/ui`,
    ...collections.map((path) => `  API       ${url}${path}`),
    `  Document  ${url}/swagger/v1/swagger.json`,
    '',
    TABLE_NAME && TABLE_NAME !== 'none'
      ? `The items are in the table ${TABLE_NAME} at ${AWS_ENDPOINT_URL_DYNAMODB ?? 'AWS'}.`
      : 'The items are in memory, and lost when the service stops. Ctrl-C stops it.',
  ];
  if (!CORS_ORIGINS || CORS_ORIGINS === 'none') {
    lines.push('CORS is off, as on AWS. To allow an origin: CORS_ORIGINS=http://localhost:5173 npm start');
  }
  if (TOKEN_ISSUER && TOKEN_ISSUER !== 'none') {
    lines.push('', `Each caller needs a token of ${TOKEN_ISSUER}. ${whoShares(LIST_BY || 'sub')}`);
  }
  for (const [name, token] of Object.entries(tokens)) {
    lines.push('', `The list of ${name}, for ten hours:`);
    lines.push(`curl -H 'Authorization: Bearer ${token}' ${url}${collections[0]}`);
  }
  return `${lines.join('\n')}\n`;
}

function whoShares(listBy: string): string {
  if (listBy === 'all') return 'All of them share one list.';
  const hasOwn = ['sub', 'none'].includes(listBy);
  return hasOwn ? 'Each person gets a list.' : `People with the same ${listBy} in their tokens share a list.`;
}
