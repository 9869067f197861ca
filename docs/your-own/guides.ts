import type { Names } from './names.js';

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object } | undefined>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

/** As much of the document as guides show. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Writes a README to begin with. */
export function readmeOf({ title, path }: Names, { paths }: Document): string {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, responses }]) => {
      const success = Object.keys(responses).filter((status) => Number(status) < 400);
      return `| \`${method.toUpperCase()} ${path}\` | ${summary.replace(/\.$/, '')} | ${success.join(', ')} |`;
    }),
  );
  const example = JSON.stringify(exampleOf(paths[path]?.post));
  return `# ${title}

A REST service in TypeScript on AWS Lambda. It keeps its items in memory or in DynamoDB, describes itself in Swagger 2.0 and OpenAPI 3.1,
and has a page to try it out.

## Start it

\`\`\`sh
npm ci --omit=dev && npm start   # with Node.js 20.19 or later
\`\`\`

Open http://localhost:3000/swagger/ui. Ctrl-C stops the service. \`npm ci && npm test\` tests it. All commands in these guides are for a
POSIX shell; on Windows, use WSL or Git Bash.

## Call it

\`\`\`sh
curl -s -w '\\n' -H 'Content-Type: application/json' -d '${example}' http://localhost:3000${path}
curl -s -w '\\n' http://localhost:3000${path}
\`\`\`

| Method and path | Does | Returns |
| --- | --- | --- |
${rows.join('\n')}
| \`GET /swagger/v1/swagger.json\` | The description document, Swagger 2.0 | 200, 304 |
| \`GET /swagger/v1/openapi.json\` | The same as OpenAPI 3.1 | 200, 304 |
| \`GET /swagger/ui\` | The page | 200, 304 |

## Errors

Errors are problem details (RFC 9457): a program decides by \`code\`, whose values are at \`Problem\` in the documents, and \`detail\` tells
people what to do. [The rules](docs/rules.md) say how the service responds to any request.

## Deploy it, change it

[docs/deploy.md](docs/deploy.md) leads from an empty AWS account to the page in a browser, and [CONTRIBUTING.md](CONTRIBUTING.md) says
which files to change. [docs/README.md](docs/README.md) lists all guides.
`;
}

/** Writes a request of each operation, for editors that can send them. */
export function requestsOf({ path }: Names, { paths }: Document): string {
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const target = path.replace(/\{\w+\}/, '{{key}}');
      const example = exampleOf(operation);
      const body = example && (method === 'put' ? { ...example, key: '{{key}}' } : example);
      const head = `### ${operation.summary.replace(/\.$/, '')}\n${method.toUpperCase()} {{url}}${target}\n`;
      return body ? `${head}Content-Type: application/json\n\n${JSON.stringify(body, null, 2)}\n` : head;
    }),
  );
  return `# Each operation, for editors that know this format. Start the service first: npm start.

@url = http://localhost:3000
# Send the POST to ${path}, and put the key that it returns here.
@key = 019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47

${requests.join('\n')}`;
}

/** Writes the changelog of a service that was not released yet. */
export function changelogOf({ title }: Names): string {
  return `# Changelog\n\n## 1.0.0\n\nThe first release of ${title}.\n`;
}

function exampleOf(operation: Operation | undefined): object | undefined {
  return operation?.requestBody?.content['application/json']?.example;
}
