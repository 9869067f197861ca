import { makeServiceAssets } from '../../docs/service-assets.js';
import { under } from '../../functions/documentation.js';
import { completePage } from '../../functions/page.js';
import { fillDocument, ISSUER_PLACEHOLDER } from '../../functions/placeholders.js';
import type { Response } from '../../shared/http/message.js';
import type { SignInUrls } from '../../shared/openid/sign-in-urls.js';
import type { Answer, Client } from './client.js';
import { expectThat, shown } from './said.js';

/** The paths of the page and the documents, with the names that the build gives them. */
export const OPEN_PATHS = {
  '/swagger/ui': 'page.identity',
  '/swagger/v1/swagger.json': 'document',
  '/swagger/v1/openapi.json': 'openapi',
} as const;

let assets: ReturnType<typeof makeServiceAssets> | undefined;

/**
 * Expects the documents and the page that a build of this checkout makes, except for the prefix, the issuer and the
 * sign-in URLs.
 *
 * @throws Fault with the differences.
 */
export async function expectThisRelease(client: Client): Promise<void> {
  for (const path of Object.keys(OPEN_PATHS) as (keyof typeof OPEN_PATHS)[]) {
    const served = await client.call('GET', path, { anonymous: true });
    const { status, headers, text, told } = served;
    expectThat(status === 200, `${told} instead of 200.`);
    const expected = await madeHere(OPEN_PATHS[path], served);
    expectText(text, expected.body as string, told);
    for (const [name, value] of Object.entries(expected.headers)) {
      const actual = headers.get(name) ?? '';
      // A proxy may add to the others, for example a charset or the mark of a weak tag.
      const isSame = name === 'Content-Security-Policy' ? actual === value : actual.includes(String(value));
      expectThat(isSame, `${told} with the ${name} ${shown(actual)} instead of ${value}.`);
    }
  }
}

function expectText(served: string, expected: string, told: string): void {
  if (served === expected) return;
  let at = 0;
  while (served[at] === expected[at]) at += 1;
  const excerpt = (text: string) => shown(text.slice(at, at + 40));
  expectThat(false, `${told} with ${excerpt(served)} at ${at}, where this checkout has ${excerpt(expected)}.`);
}

async function madeHere(name: string, served: Answer): Promise<Response<200>> {
  assets ??= makeServiceAssets();
  const issuer = issuerIn(served);
  const made = (await assets)[issuer === undefined ? name : `with-tokens/${name}`] as Response<200>;
  if (name === 'page.identity')
    return issuer === undefined ? made : completePage(made, issuer, signInUrlsIn(served), 'identity');
  const filled = issuer === undefined ? made : fillDocument(made, { [ISSUER_PLACEHOLDER]: issuer }, issuer);
  // Another check looks at the server in the document.
  return name === 'openapi' ? under(String(served.json.servers?.[0]?.url).replace(/^\/$/, ''), filled) : filled;
}

/** Undefined if the stage asks for no tokens. */
function issuerIn({ text }: Answer): string | undefined {
  const [, issuer] = /A token that (https?:\S+) has issued/.exec(text) ?? [];
  return issuer && unescaped(issuer);
}

/** Undefined without a button. */
function signInUrlsIn({ text }: Answer): SignInUrls | undefined {
  const button = / id="sign-in" data-authorize="([^"]*)" data-token="([^"]*)"/.exec(text) ?? [];
  const [authorize = '', token = ''] = button.slice(1).map(unescaped);
  return URL.canParse(authorize) && URL.canParse(token) ? { authorize, token } : undefined;
}

const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
