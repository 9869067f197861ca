// The command knows a resource by the document alone. Parcels have a member of each type.
import { expect, it } from '@jest/globals';
import { toSwagger2 } from '../../docs/generator/swagger2.js';
import { makePage } from '../../docs/page/markup/page.js';
import type { Answer } from '../support/service/answer.js';
import { answerOf } from '../support/service/answer.js';
import { PARCELS, type Parcel } from '../support/service/parcels.js';
import { openApi, type Service, startService } from '../support/service/service.js';
import { answers, broken, type finds, json, LIVE, smoke } from './stage.js';

type Document = typeof openApi;

const swagger = toSwagger2(openApi);
const page = makePage(swagger as never);

/** Parcels, and the documents and the page that describe them. */
function parcelStage(change: (document: Document) => unknown = (document) => document): Service {
  const document = change(structuredClone({ ...openApi, servers: [{ url: '/live/' }] }));
  const files: Readonly<Record<string, readonly [type: string, content: string]>> = {
    '/swagger/ui': ['text/html', page],
    '/swagger/v1/swagger.json': ['application/json', JSON.stringify(swagger)],
    '/swagger/v1/openapi.json': ['application/json', JSON.stringify(document)],
  };
  return broken(startService(LIVE), (call) => async (method, path, sent) => {
    const [type, content = ''] = files[path] ?? [];
    if (!type) return call(method, path, sent);
    const headers = {
      'content-type': type,
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
      etag: '"1"',
    };
    return answerOf(200, headers, Buffer.from(content));
  });
}

/** The members of the definition in a document. */
function membersIn(document: Document): Readonly<Record<string, { type?: unknown; format?: string; enum?: unknown }>> {
  return Object(document.components.schemas).StoredParcel.properties;
}

/** Leaves no member that takes a text of the command's own. */
function withoutTexts(document: Document): Document {
  for (const name of ['label', 'note']) Object.assign(Object(membersIn(document)[name]), { format: 'code' });
  return document;
}

async function parcelsOf(service: Service): Promise<readonly Parcel[]> {
  return (await service.call('GET', PARCELS)).json;
}

it('members of each type are changed and read back', async () => {
  const service = parcelStage();
  const before = await parcelsOf(service);
  const written: Parcel[] = [];
  const watched = broken(service, (call) => (method, path, sent) => {
    if (method === 'PUT') written.push(JSON.parse(String(sent?.body)));
    return call(method, path, sent);
  });
  const { code, lines } = await smoke(watched);
  expect(lines.filter((line) => !line.startsWith('ok'))).toEqual(['PASSED  19 checks.']);
  expect(code).toBe(0);
  expect(written).toEqual([
    {
      key: expect.any(String),
      label: expect.stringMatching(/^Smoke test [\da-f]{16}\.$/),
      note: 'Smoke test.',
      service: 'express',
      day: '2001-02-03',
      due: '2001-02-03T04:05:06Z',
      pieces: 2,
      weight: 1.5,
      fragile: true,
      tags: ['Smoke test.'],
      sizes: [1, 2],
    },
  ]);
  expect(await parcelsOf(service)).toEqual(before);
});

it('a member for which no other value is found is named, and left as it is', async () => {
  const { code, lines } = await smoke(parcelStage(withoutTexts));
  expect(lines.filter((line) => line.startsWith('-'))).toEqual(
    ['label', 'note'].map(
      (name) => `-       Not tried: A change of "${name}": no other value was found that its schema takes.`,
    ),
  );
  expect(code).toBe(0);
});

it('where no member can be changed, the item is created, read, listed and deleted', async () => {
  const service = parcelStage((document) => {
    for (const schema of Object.values(membersIn(document))) {
      schema.type = 'string';
      schema.format = 'code';
      delete schema.enum;
    }
    return document;
  });
  const before = await parcelsOf(service);
  const { code, lines } = await smoke(service);
  expect(lines.filter((line) => line.startsWith('-'))).toHaveLength(10);
  expect([code, await parcelsOf(service)]).toEqual([0, before]);
});

it('an item without a text of its own is deleted only while it is just as it was sent', async () => {
  const like = answers((answer, method) => (method === 'POST' ? { status: 504, ...json(answer.json) } : {}));
  expect(await findsParcels(like)).toEqual([1, 0]);
  const other = answers((answer, method, path) =>
    method === 'GET' && path.startsWith(`${PARCELS}/`) && answer.status === 200
      ? json({ ...answer.json, pieces: 4 })
      : {},
  );
  expect(await findsParcels(other)).toEqual([1, 1]);
  const silent = answers(
    (_answer, method): Partial<Answer> => (method === 'POST' ? { status: 504, headers: {}, ...json({}) } : {}),
  );
  expect(await findsParcels(silent, /An item like "\{.*…" may be in the list\. If so, delete it yourself\./)).toEqual([
    1, 1,
  ]);
});

/** The exit code, and how many parcels are left. */
async function findsParcels(fault: Parameters<typeof finds>[1], sentence = /./): Promise<readonly number[]> {
  const service = parcelStage(withoutTexts);
  const [before, { code, lines }] = [(await parcelsOf(service)).length, await smoke(broken(service, fault))];
  expect(lines.join('\n')).toMatch(sentence);
  return [code, (await parcelsOf(service)).length - before];
}
