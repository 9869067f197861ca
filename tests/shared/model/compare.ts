import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import type { Service } from '../../support/service/service.js';
import type { Model, ModelItem } from './model.js';
import { type RequestSketch, requestOf } from './requests.js';

/** Sends a request to the service and to the model. If they differ, it throws with all the calls that it has `told` so far. */
export async function compare(sketch: RequestSketch, model: Model, service: Service, told: string[]): Promise<void> {
  const { asked, path, headers } = requestOf(sketch, model);
  const answer = await service.call(asked.method, path, { headers, body: asked.body });
  told.push(
    `${asked.method} ${path} ${JSON.stringify(headers)} ${asked.body ?? ''} → ${answer.status} ${answer.text.slice(0, 200)}`,
  );

  function same(what: string, actual: unknown, expected: unknown): void {
    if (isDeepStrictEqual(actual, expected)) return;
    const difference = `${what}: ${JSON.stringify(actual)} but the model has ${JSON.stringify(expected)}`;
    throw new Error([...told, difference].join('\n'));
  }

  const { key } = answer.status === 201 ? answer.json : { key: undefined };
  const isKnown = model.items.some((item) => item.key === key);
  const expected = model.answer(asked, key);
  same('status', answer.status, expected.status);
  if (expected.items) same('list', await readPages(answer, service, sketch.limit), expected.items.map(onTheWire));
  if (!expected.item) return;
  if (expected.status === 201) {
    same('new key', [NEW_KEY.test(key), isKnown], [true, false]);
    same('location', answer.headers.location, `${service.prefix}${PARCELS}/${key}`);
  }
  same('entity tag', answer.headers.etag, `"${expected.item.version}"`);
  if (answer.text !== '') same('item', answer.json, onTheWire(expected.item));
}

const NEW_KEY = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** The items of a page, and of the pages that its links lead to. */
async function readPages(page: Answer, service: Service, limit = Number.POSITIVE_INFINITY): Promise<WireItem[]> {
  if (page.json.length > limit) throw new Error('the page is too long');
  const [, next] = /^<(.*)>; rel="next"$/.exec(page.headers.link ?? '') ?? [];
  if (next === undefined) return page.json;
  const rest = await service.call('GET', next.slice(service.prefix.length));
  return [...page.json, ...(await readPages(rest, service, limit))];
}

type WireItem = Omit<ModelItem, 'version'>;

function onTheWire({ version: _version, ...item }: ModelItem): WireItem {
  return item;
}
