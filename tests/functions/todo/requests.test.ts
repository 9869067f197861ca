import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import swagger from '../../../docs/swagger.json';
import { expectStatus } from '../../support/service/answer.js';
import { startDeployed } from '../../support/service/deployed.js';
import { ALL_OPERATIONS } from '../../support/service/documented.js';

type Operation = { readonly parameters?: readonly { readonly name: string; readonly in: string }[] };

const QUERY_PARAMETERS = Object.values<Readonly<Record<string, Operation>>>(swagger.paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ parameters = [] }) => parameters)
  .filter((parameter) => parameter.in === 'query')
  .map(({ name }) => name);

describe('docs/requests.http', () => {
  const [start = '', ...requests] = readFileSync('docs/requests.http', 'utf8').split(/^### /m);

  it('has each operation, parameter and document, and is answered as its titles say if it is sent from top to bottom', async () => {
    const service = startDeployed();
    let [, key = ''] = /^@key = (.+)$/m.exec(start) ?? [];
    const sent: string[] = [];
    for (const request of requests) {
      const [head = '', ...body] = request.replaceAll('{{key}}', key).replace('{{url}}', '').split('\n\n');
      const [title = '', line = '', ...fields] = head.trim().split('\n');
      const [method = '', path = ''] = line.split(' ');
      const headers = Object.fromEntries(fields.map((field) => field.split(': ')));
      const text = body.join('\n\n').trim() || undefined;
      const status = Number(/: (\d{3})$/.exec(title)?.[1]);
      const { json } = await expectStatus(status, service.call(method, path, { headers, body: text }));
      sent.push(line.replace(key, '{id}').replace(/\?.*/, ''));
      if (status === 201) key = json.key;
    }
    const operations = ALL_OPERATIONS.map((operation) => operation.join(' '));
    const documents = ['GET /swagger/v1/openapi.json', 'GET /swagger/v1/swagger.json'];
    expect([...new Set(sent)].sort()).toEqual([...operations, ...documents].sort());
    for (const name of QUERY_PARAMETERS) expect(requests.join()).toContain(`${name}=`);
  });
});
