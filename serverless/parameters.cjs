const { isIssuer } = require('../shared/openid/issuer.mjs');

/**
 * The parameters of a stage. Each has its value where nobody says anything, and what it takes, in words and as a check. With a
 * `variable`, the function gets it in that environment variable, and checks it again; in the stage dev, the shell's counts.
 */
module.exports.PARAMETERS = {
  table: {
    default: '',
    takes: "a table's name (3 to 255 of the characters a-z, A-Z, 0-9, _, - and .), or none",
    accepts: matches(/^([\w.-]{3,255})?$/),
    variable: 'TABLE_NAME',
  },
  corsOrigins: {
    default: '',
    takes: 'origins like https://example.com, separated by commas, or * alone',
    accepts: (list) => list.trim() === '*' || list.split(',').every(isOrigin),
    variable: 'CORS_ORIGINS',
  },
  logLevel: {
    default: 'info',
    takes: 'debug, info, warn, error or silent',
    accepts: oneOf('debug', 'info', 'warn', 'error', 'silent'),
    variable: 'LOG_LEVEL',
  },
  tokenIssuer: {
    default: '',
    takes: 'the https URL of an OpenID Connect provider, letter by letter as in the iss of its tokens, or none',
    accepts: (issuer) => ['', 'none'].includes(issuer) || isIssuer(issuer),
    variable: 'TOKEN_ISSUER',
  },
  tokenAudience: {
    default: '',
    takes: 'what the tokens have in aud, or in client_id: visible characters',
    accepts: matches(/^[!-~]{0,512}$/),
    variable: 'TOKEN_AUDIENCE',
  },
  frontDoor: { default: 'rest', takes: 'rest, http or url', accepts: oneOf('rest', 'http', 'url') },
  signedCalls: { default: 'false', takes: 'true or false', accepts: oneOf('true', 'false') },
  accessLog: { default: 'false', takes: 'true or false', accepts: oneOf('true', 'false') },
  alarmEmail: { default: '', takes: 'an e-mail address', accepts: matches(/^([^\s@,]+@[^\s@,]+\.[^\s@,]+)?$/) },
  reservedConcurrency: { default: '1', takes: '1 or none', accepts: oneOf('1', 'none') },
  permissionsBoundary: {
    default: '',
    takes: 'the ARN of a policy, like arn:aws:iam::123456789012:policy/boundary',
    accepts: matches(/^(arn:aws[a-z-]*:iam::(\d{12}|aws):policy\/[\w+=,.@/-]+)?$/),
  },
};

/** What can't be chosen together, and why. */
module.exports.CONFLICTS = [
  {
    between: ({ tokenIssuer, tokenAudience }) => isSet(tokenIssuer) !== isSet(tokenAudience),
    reason: 'tokenIssuer and tokenAudience need each other: name both, or say tokenIssuer: none alone',
  },
  {
    between: ({ tokenIssuer, table }) => isSet(tokenIssuer) && !isSet(table),
    reason:
      'tokenIssuer is set, but the lists of several people need a table: name one in table, or on this machine use npm run local',
  },
  {
    between: ({ tokenIssuer, signedCalls }) => isSet(tokenIssuer) && signedCalls === 'true',
    reason:
      'tokenIssuer is set and signedCalls is true, but a request has one Authorization field, for a token or for a signature: choose one of them',
  },
  {
    between: ({ frontDoor, signedCalls }) => frontDoor === 'url' && signedCalls === 'true',
    reason:
      'signedCalls is true, but a function URL asks for a signature on every path or on none, and a browser can open no page then: use the frontDoor rest or http',
  },
  {
    between: ({ frontDoor, accessLog }) => frontDoor === 'url' && accessLog === 'true',
    reason:
      'accessLog is true, but AWS keeps no log of what a function URL answers: leave it out, or use the frontDoor rest or http',
  },
];

function isSet(value) {
  return value !== '' && value !== 'none';
}

function oneOf(...values) {
  return (value) => values.includes(value);
}

function matches(pattern) {
  return (value) => pattern.test(value);
}

function isOrigin(text) {
  const origin = text.trim();
  return origin === '' || (origin.length <= 267 && URL.canParse(origin) && new URL(origin).origin === origin);
}
