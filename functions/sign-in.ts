import { isIssuer } from '../shared/openid/issuer.js';
import type { TokenPolicy } from '../shared/openid/policy.js';
import { type Environment, setting } from './environment.js';

/**
 * @returns Undefined without sign-in.
 * @throws Error that names the wrong variable, and what it takes.
 */
export function readSignIn(environment: Environment): TokenPolicy | undefined {
  const read = (name: string) => setting(environment, name);
  const issuer = read('TOKEN_ISSUER');
  const audience = read('TOKEN_AUDIENCE');
  const listBy = read('LIST_BY');
  const readScope = read('TOKEN_READ_SCOPE');
  const writeScope = read('TOKEN_WRITE_SCOPE');
  const client = read('TOKEN_CLIENT');
  if (!issuer && !audience) {
    const useless = ONLY_WITH_ISSUER.find(read);
    if (useless)
      throw new Error(`${useless} is set, but people do not sign in: set TOKEN_ISSUER as well, or ${useless} to none`);
    return undefined;
  }
  if (!issuer || !audience) {
    throw new Error('TOKEN_ISSUER and TOKEN_AUDIENCE need each other: set both, or both to none');
  }
  if (!isIssuer(issuer)) {
    throw new Error(`TOKEN_ISSUER is "${issuer}": it takes the https URL of an OpenID Connect provider, or none`);
  }
  if (!/^[!-~]{1,512}$/.test(audience)) {
    throw new Error(
      `TOKEN_AUDIENCE is "${audience}": it takes what the tokens have in aud, up to 512 visible characters`,
    );
  }
  if (listBy && !/^[!-~]{1,255}$/.test(listBy)) {
    throw new Error(
      `LIST_BY is "${listBy}": it takes sub, all, or the name of a claim in up to 255 visible characters, or none`,
    );
  }
  const scopes = { TOKEN_READ_SCOPE: readScope, TOKEN_WRITE_SCOPE: writeScope };
  for (const [name, scope] of Object.entries(scopes)) {
    if (scope && !SCOPE.test(scope)) {
      throw new Error(
        `${name} is "${scope}": it takes one scope, of up to 255 visible characters without quotes and backslashes, or none`,
      );
    }
  }
  if (readScope && !writeScope) {
    throw new Error(
      'TOKEN_READ_SCOPE needs TOKEN_WRITE_SCOPE, because otherwise people without the read scope could write. The two may be equal',
    );
  }
  if (listBy !== 'all' && !setting(environment, 'TABLE_NAME')) {
    throw new Error(
      'TOKEN_ISSUER is set, but TABLE_NAME names no table: the lists of several people need one, unless LIST_BY is all',
    );
  }
  if (client && !/^[!-~]{1,255}$/.test(client)) {
    throw new Error(
      `TOKEN_CLIENT is "${client}": it takes the id of a public client, in up to 255 visible characters, or none`,
    );
  }
  return { issuer, audience, listBy, readScope, writeScope, client };
}

const ONLY_WITH_ISSUER = ['LIST_BY', 'TOKEN_READ_SCOPE', 'TOKEN_WRITE_SCOPE', 'TOKEN_CLIENT'];

/** RFC 6749, section 3.3. */
const SCOPE = /^[!#-[\]-~]{1,255}$/;
