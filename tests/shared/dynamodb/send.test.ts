import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import dynalite from 'dynalite';
import { connect } from '../../../shared/dynamodb/send.js';

const access = { region: 'eu-central-1', credentials: { accessKeyId: 'id', secretAccessKey: 'secret' } };

describe('a request to DynamoDB', () => {
  const server = dynalite({ ssl: true });
  let endpoint: string;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    endpoint = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => void server.close());

  it('is not sent to a server whose certificate is not to be trusted', async () => {
    const sent = connect({ ...access, endpoint })('ListTables', '{}', AbortSignal.timeout(5_000));
    await expect(sent).rejects.toThrow(/certificate/);
  });

  it('is not waited for longer than is allowed', async () => {
    const sent = connect({ ...access, endpoint })('ListTables', '{}', AbortSignal.timeout(0));
    await expect(sent).rejects.toThrow(/abort/i);
  });
});
