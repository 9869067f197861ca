// `npm run build -- FOLDER --service URL …`: builds the app for a web server that only serves files, such as S3 behind CloudFront.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const PAGE = fileURLToPath(new URL('page/', import.meta.url));
/** Lists what a build has written, so that the next one can replace it. */
const LISTED = 'app-files.txt';
const HEAD = 'The next build may replace these files:';

/** The options of this command and of `npm start -- --alone`. */
export const OPTIONS = `Options:
  --service URL       where the service is, with its prefix; without it, on the app's own origin
  --issuer URL        the OpenID Connect provider; without it, the app has no sign-in
  --client ID         the app's client id there
  --scope "openid …"  the scopes to ask for; without it, openid. Auth0, Okta and Entra renew tokens with offline_access only
  --audience TEXT     the service's audience, where the provider wants to be told
  --sign-out-url URL  where to sign out, for a provider without end_session_endpoint`;

/**
 * @typedef {object} SignIn See service/session.ts.
 * @property {string} issuer
 * @property {string} client
 * @property {string} scope
 * @property {string} [audience]
 * @property {string} [signOutUrl]
 */

/**
 * Builds the app.
 *
 * @param {{ service: string, signIn?: SignIn }} settings - What the page gets to know.
 * @returns {Promise<Record<string, string>>} The text of each file, by its name.
 * @throws {Error} with a sentence, if the provider can't be asked for its token endpoint; or esbuild's, which has printed why.
 */
export async function buildApp(settings) {
  const issuer = settings.signIn?.issuer;
  const policy = policyOf([settings.service, issuer, issuer && (await tokenEndpointOf(issuer))]);
  const { outputFiles, metafile } = await build({
    entryPoints: ['main.ts', 'style.css'].map((name) => join(PAGE, name)),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    entryNames: '[name]-[hash]',
    outdir: PAGE,
    write: false,
    metafile: true,
    legalComments: 'none',
  });
  const files = Object.fromEntries(outputFiles.map(({ path, text }) => [path.slice(PAGE.length), text]));
  const nameOf = (/** @type {string} */ end) => Object.keys(files).find((name) => name.endsWith(end)) ?? '';
  // In a script element, the text of JSON must not end the element.
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c');
  const html = readFileSync(join(PAGE, 'index.html'), 'utf8')
    .replace(
      '<meta charset="utf-8">',
      (meta) => `${meta}\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
    )
    .replace('href="style.css"', `href="${nameOf('.css')}"`)
    .replace('src="main.ts"', `src="${nameOf('.js')}"`)
    .replace('>{}</script>', () => `>${json}</script>`);
  return { ...files, 'index.html': html, 'LICENSES.txt': licencesOf(Object.keys(metafile.inputs)) };
}

/** @returns {Promise<string | undefined>} Where the app gets tokens: with some providers, on another host than they sign in on. */
async function tokenEndpointOf(/** @type {string} */ issuer) {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    const { token_endpoint: endpoint } = await response.json();
    if (!URL.canParse(endpoint)) throw new Error('it names no token_endpoint');
    return endpoint;
  } catch (error) {
    const { message, cause } = /** @type {Error} */ (error);
    const reason = cause instanceof Error ? cause.message || 'it can not be reached' : message;
    throw new Error(`The provider's ${url} could not be read: ${reason}. Nothing was built.`);
  }
}

/** The page may call the service and the provider, and load nothing but what was built. */
function policyOf(/** @type {(string | undefined)[]} */ called) {
  const origins = called.map((url) =>
    url && URL.canParse(url) ? new URL(url).origin : url === undefined ? '' : "'self'",
  );
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': 'data:',
    'connect-src': [...new Set(origins)].filter(Boolean).join(' '),
    'base-uri': "'none'",
    'form-action': "'none'",
  };
  return Object.entries(policy)
    .map((directive) => directive.join(' '))
    .join('; ');
}

/** Packages ask for a copy of their licence wherever their code is. */
function licencesOf(/** @type {string[]} */ inputs) {
  const packages = inputs.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? '');
  const texts = [...new Set(packages)].filter(Boolean).map((folder) => {
    const name = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    if (!name) throw new Error(`${folder} has no licence`);
    return `${folder.replace(/^.*node_modules\//, '')}\n\n${readFileSync(join(folder, name), 'utf8').trim()}\n`;
  });
  return texts.sort().join(`\n${'-'.repeat(72)}\n\n`);
}

/**
 * Writes files to a folder that is new, empty, or has what a former build wrote and nothing else.
 *
 * @throws {Error} with a sentence, if it has anything else: then nothing is touched.
 */
function replaceFolder(/** @type {string} */ folder, /** @type {Record<string, string>} */ files) {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new Error(`${folder} is no folder. Nothing was touched.`);
  const there = existsSync(folder) ? readdirSync(folder) : [];
  const [head, ...former] = there.includes(LISTED) ? readFileSync(join(folder, LISTED), 'utf8').split('\n') : [HEAD];
  const other = head === HEAD ? there.find((name) => name !== LISTED && !former.includes(name)) : LISTED;
  if (other !== undefined) {
    throw new Error(
      `${join(folder, other)} is not from a former build. Name a folder that is new or empty. Nothing was touched.`,
    );
  }
  mkdirSync(folder, { recursive: true });
  const names = Object.keys(files);
  const list = (/** @type {string[]} */ listed) =>
    writeFileSync(join(folder, LISTED), `${[HEAD, ...new Set(listed)].join('\n')}\n`);
  // First, so that a build that is interrupted can be repeated.
  list([...names, ...former.filter(Boolean)]);
  for (const name of names) writeFileSync(join(folder, name), files[name]);
  for (const name of there) if (name !== LISTED && !names.includes(name)) rmSync(join(folder, name));
  list(names);
}

/**
 * Reads the words of a command.
 *
 * @param {string[]} words
 * @returns {{ names: string[], settings: { service: string, signIn?: SignIn } }} What is no option, and what the page gets to know.
 * @throws {Error} with a sentence about what is wrong.
 */
export function readCommand(words) {
  const text = /** @type {const} */ ({ type: 'string' });
  const options = { service: text, issuer: text, client: text, scope: text, audience: text, 'sign-out-url': text };
  const { positionals: names, values } = parseArgs({ args: words, options, allowPositionals: true });
  const { service = '', issuer, client, scope = 'openid', audience, 'sign-out-url': signOutUrl } = values;
  for (const [name, url] of Object.entries({ service, issuer, 'sign-out-url': signOutUrl })) {
    if (url && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
      throw new Error(`--${name} is "${url}": it takes a URL, as in https://example.com`);
  }
  const others = { client, audience, 'sign-out-url': signOutUrl, scope: values.scope };
  const [without] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (!issuer && without) throw new Error(`--${without} needs --issuer, which says where people sign in.`);
  if (issuer && !client) throw new Error('--issuer needs --client, the id under which the provider knows the app.');
  if (!scope.split(' ').includes('openid'))
    throw new Error(`--scope is "${scope}": it needs openid, which says who signs in.`);
  const signIn = issuer && client ? { issuer, client, scope, audience, signOutUrl } : undefined;
  return { names, settings: { service: service.replace(/\/$/, ''), ...(signIn && { signIn }) } };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { names, settings } = readCommand(process.argv.slice(2));
    const [folder, ...more] = names;
    if (!folder || more.length > 0)
      throw new Error(`Usage: npm run build -- FOLDER [options]; got ${names.length} folders.\n\n${OPTIONS}`);
    // npm runs scripts in the folder of package.json, wherever you call them.
    replaceFolder(resolve(process.env.INIT_CWD ?? '.', folder), await buildApp(settings));
    console.log(`The app is in ${folder}.`);
  } catch (error) {
    // esbuild has printed what is wrong with the code.
    if (!(/** @type {any} */ (error).errors)) console.error(/** @type {Error} */ (error).message);
    process.exitCode = 1;
  }
}
