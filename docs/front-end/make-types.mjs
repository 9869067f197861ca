// `npm run types -- FILE`: writes the types of the service's OpenAPI 3.1 document to service/openapi.d.ts.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const [file = fileURLToPath(new URL('../openapi.json', import.meta.url))] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
const digest = createHash('sha256').update(text).digest('hex');
const types = astToString(await openapiTS(text));
const head = `// Written by \`npm run types\`. SHA-256 of the document: ${digest}\n\n`;
writeFileSync(new URL('service/openapi.d.ts', import.meta.url), head + types);
