import { expect } from '@jest/globals';
import { expectStatus } from './answer.js';
import { COLLECTION, EXAMPLE } from './documented.js';
import type { Service } from './service.js';

/** The example with each boolean the other way round. */
const CHANGED = Object.fromEntries(
  Object.entries(EXAMPLE).map(([name, value]) => [name, typeof value === 'boolean' ? !value : value]),
);

/** Calls an operation of the deployed service on a new item, and expects the list to have the item as it should be then. */
export async function expectOperation({ call, prefix }: Service, method: string, template: string): Promise<void> {
  const created = await expectStatus(201, call('POST', COLLECTION, { body: EXAMPLE }));
  const { key } = created.json;
  expect(created).toMatchObject({ json: EXAMPLE, headers: { location: `${prefix}${COLLECTION}/${key}` } });
  const sent = /^P/.test(method) ? { body: { ...CHANGED, key } } : {};
  expect((await call(method, template.replace('{id}', key), sent)).status).toBeLessThan(300);
  const listed: (typeof created.json)[] = (await call('GET', COLLECTION)).json;
  const isChanged = ['PUT', 'PATCH'].includes(method);
  const expected = { ...created.json, ...(isChanged && CHANGED) };
  expect(listed.filter((item) => item.key === key)).toEqual(method === 'DELETE' ? [] : [expected]);
}
