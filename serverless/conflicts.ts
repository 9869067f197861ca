import type { Parameters } from './parameters.js';

/** What can't be chosen together, and why. functions/configuration.ts has what the function itself rejects. */
export const CONFLICTS: readonly { between(parameters: Parameters): boolean; readonly reason: string }[] = [
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
  {
    between: ({ frontDoor, throttle }) => frontDoor === 'url' && throttle !== '',
    reason:
      'throttle is set, but AWS has none for a function URL: leave it out and set reservedConcurrency, or use the frontDoor rest or http',
  },
  {
    between: ({ table, reservedConcurrency }) => !isSet(table) && Number(reservedConcurrency) > 1,
    reason:
      'reservedConcurrency is above 1, but without a table each instance has a collection of its own: name a table, or say 0, 1 or none',
  },
];

function isSet(value: string): boolean {
  return value !== '' && value !== 'none';
}
