/** What a setting takes and what it does not take, and which others must be there. */
export interface Values {
  readonly valid: readonly string[];
  readonly wrong: readonly string[];
  readonly beside?: object;
}

export const ISSUER = 'https://login.example.com';

/** The parameters that a stage needs if people sign in. */
export const SIGN_IN = { region: 'eu-central-1', table: 'items', tokenIssuer: ISSUER, tokenAudience: 'todo' };

/** Makes a URL with a length in characters. */
export const url = (length: number) => 'https://'.padEnd(length, 'a');

const NO_ISSUERS = ['http://login.example.com', 'https://a"b', 'https://a?b', 'https://a#b', 'https://a b', url(513)];
const NO_SCOPES = ['a b', 'a"', 'a\\', 'é', 'a'.repeat(256)];

/** The parameters of a stage that are variables of the function: both check them, and must agree. */
export const VARIABLES = {
  table: {
    valid: ['none', 'a.b-c_D', 'a'.repeat(255)],
    wrong: ['ab', 'a b', 'a/bcd', 'abc/d', 'ééé', 'a'.repeat(256)],
  },
  tokenIssuer: { valid: [`${ISSUER}/`, 'http://localhost:8080/a', url(512)], wrong: NO_ISSUERS, beside: SIGN_IN },
  tokenAudience: { valid: ['a', '!~'], wrong: ['a b', 'é', 'a'.repeat(513)], beside: SIGN_IN },
  listBy: {
    valid: ['', 'none', 'sub', 'all', 'https://example.com/team', 'a'.repeat(255)],
    wrong: ['a b', 'é', 'a'.repeat(256)],
    beside: SIGN_IN,
  },
  readScope: { valid: ['', 'none', 'w', 'todo/read'], wrong: NO_SCOPES, beside: { ...SIGN_IN, writeScope: 'w' } },
  writeScope: { valid: ['', 'none', 'todo/write', "!#[]~'"], wrong: NO_SCOPES, beside: SIGN_IN },
  tokenClient: { valid: ['', 'none', '3a~!b', '!~"'], wrong: ['a b', 'é', 'a'.repeat(256)], beside: SIGN_IN },
  corsOrigins: {
    valid: ['none', '', '*', ' * ', 'http://a,http://b:3000', url(267)],
    wrong: ['*,', 'http://a, *', 'null', 'example.com', 'https://a/', url(268)],
  },
  logLevel: { valid: ['', 'debug', 'info', 'warn', 'error', 'silent'], wrong: ['none', 'trace', 'INFO'] },
} satisfies Record<string, Values>;
