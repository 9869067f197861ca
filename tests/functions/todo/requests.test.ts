import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import swagger from '../../../docs/swagger.json';
import { startDeployed } from '../../support/service/deployed.js';

const file = readFileSync('docs/requests.http', 'utf8');
const [start = '', ...blocks] = file.split(/^###/m);
const requests = blocks.map(read);

/** The format that all editors share: a title, the request line, header fields, and behind an empty line the body. */
function read(block: string) {
  const [, title = '', status, rest = ''] = /^ (.*): (\d{3})\n(.*)$/s.exec(block) ?? [];
  const [head = '', ...body] = rest.split('\n\n');
  const [line = '', ...fields] = head.trim().split('\n');
  const [method = '', url = ''] = line.split(' ');
  const headers = Object.fromEntries(fields.map((field) => field.split(': ') as [string, string]));
  return { title, status: Number(status), method, url, headers, body: body.join('\n\n').trim() || undefined };
}

function replaceVariables(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\{\{(.*?)\}\}/g, (_, name) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`docs/requests.http says nowhere what {{${name}}} is`);
    return value;
  });
}

describe('docs/requests.http', () => {
  const variables = Array.from(start.matchAll(/^@(\w+) = (.+)$/gm), ([, name, value]) => [name, value] as const);

  it('is answered as its titles say if it is sent from top to bottom with the key of the created item', async () => {
    const service = startDeployed();
    const values = new Map(variables as [string, string][]).set('url', '');
    for (const { title, status, method, url, headers, body } of requests) {
      const sent = { headers, ...(body && { body: replaceVariables(body, values) }) };
      const answer = await service.call(method, replaceVariables(url, values), sent);
      expect([title, answer.status]).toEqual([title, status]);
      if (status === 201) values.set('key', answer.json.key);
    }
  });

  it('has a request for each operation of the description, and for each document', () => {
    const operations = Object.entries(swagger.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const sent = requests.map(({ method, url }) =>
      `${method} ${url}`.replace('{{url}}', '').replace('{{key}}', '{id}').replace(/\?.*/, ''),
    );
    const documents = ['GET /swagger/v1/openapi.json', 'GET /swagger/v1/swagger.json'];
    expect([...new Set(sent)].sort()).toEqual([...operations, ...documents].sort());
  });

  it('sends every query parameter of the description', () => {
    const names = requests.flatMap(({ url }) => [
      ...new URL(url.replace('{{url}}', 'http://host')).searchParams.keys(),
    ]);
    const described = swagger.paths['/api/todo'].get.parameters.filter(({ in: place }) => place === 'query');
    expect([...new Set(names)].sort()).toEqual(described.map(({ name }) => name).sort());
  });

  it('uses nothing that only some editors know', () => {
    expect(file).not.toMatch(/^(# @name|> ?\{%|< )|\.response\.|\{\{\$/m);
    expect(variables.map(([name]) => name)).toEqual(['url', 'key']);
  });
});
