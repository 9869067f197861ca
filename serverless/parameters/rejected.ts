import type { Parameters } from './parameters.js';

/** What can't be chosen together. functions/configuration.ts has what the function itself rejects. */
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
    between: ({ frontDoor, domain }) => frontDoor === 'url' && domain !== '',
    reason: 'domain is set, but AWS lets none lead to a function URL: use the frontDoor rest or http',
  },
  {
    between: ({ domain, certificate }) => (domain === '') !== (certificate === ''),
    reason: 'domain and certificate need each other: set both or neither',
  },
  {
    between: ({ domain, hostedZone }) => domain === '' && hostedZone !== '',
    reason: 'hostedZone is set, but there is no domain to enter into it: set domain and certificate, or leave it out',
  },
  {
    between: ({ domain, defaultAddress }) => domain === '' && defaultAddress === 'false',
    reason:
      'defaultAddress is false, but without a domain there is no other address: set domain and certificate, or leave it out',
  },
  {
    between: ({ certificate, region }) => (certificate.split(':')[3] || region) !== region,
    reason: "certificate is of another region, but API Gateway takes one of the stage's own: request it there",
  },
  {
    between: ({ table, reservedConcurrency }) => !isSet(table) && Number(reservedConcurrency) > 1,
    reason:
      'reservedConcurrency is above 1, but without a table each instance has a collection of its own: name a table, or say 0, 1 or none',
  },
  {
    between: ({ deploymentRole, functionRole, deploymentBucket }) =>
      deploymentRole !== '' && (functionRole === '' || deploymentBucket === ''),
    reason:
      'deploymentRole is set, but CloudFormation should not make roles and buckets with it: set functionRole and deploymentBucket as well',
  },
  {
    between: ({ functionRole, permissionsBoundary }) => functionRole !== '' && permissionsBoundary !== '',
    reason:
      'permissionsBoundary limits the role that the stack makes, but functionRole takes its place: leave one of them out',
  },
];

/**
 * Finds values that each stage must set for itself.
 *
 * @param blocks - stages.yml.
 * @param domain - From stages.yml or the command.
 * @returns A sentence for each value that several stages share.
 */
export function shared(blocks: Readonly<Record<string, object | null>>, stage: string, domain: string): string[] {
  const valueIn = (block: string, name: string) => (blocks[block] as Record<string, unknown> | null)?.[name];
  const others = Object.keys(blocks).filter((block) => block !== stage && block !== 'default');
  return [
    ...['table', 'domain']
      .filter((name) => valueIn('default', name))
      .map((name) => `default has a ${name}, which all stages would share: name one in each`),
    ...others
      .filter((block) => domain !== '' && valueIn(block, 'domain') === domain)
      .map((block) => `domain is "${domain}", which the stage ${block} also has: AWS takes a name once in a region`),
  ];
}

/**
 * Finds what a stage other than dev must set.
 *
 * @returns For each a sentence, and the lines to add to its block.
 */
export function missing(stage: string, { region, table, tokenIssuer }: Parameters): string[] {
  return [
    ...(region ? [] : [regionMissing(stage)]),
    ...(table ? [] : [tableMissing(stage)]),
    ...(tokenIssuer ? [] : [issuerMissing(stage)]),
  ];
}

function isSet(value: string): boolean {
  return value !== '' && value !== 'none';
}

/**
 * If the shell's were the default, a deployment from another shell would make the stage a second time in another
 * region.
 */
function regionMissing(stage: string): string {
  return `Nothing says in which region the stage ${stage} is. Add to serverless/stages.yml:

${stage}:
  region: ${process.env.AWS_REGION || 'eu-central-1'}
`;
}

/** If memory were the default, a deployment that forgets the table would move the service away from its data. */
function tableMissing(stage: string): string {
  return `Nothing says where the stage ${stage} keeps its items. Add to serverless/stages.yml, for a table (docs/dynamodb.md):

${stage}:
  table: items-${stage}

or, for items in memory, which are lost with the function's instance:

${stage}:
  table: none
`;
}

/**
 * If an open service were the default, a deployment that forgets the issuer would show the items of all people to any
 * caller.
 */
function issuerMissing(stage: string): string {
  return `Nothing says who may call the stage ${stage}. Add to serverless/stages.yml, for a list for each person who signs in (docs/authorization.md):

${stage}:
  tokenIssuer: https://login.example.com
  tokenAudience: https://api.example.com

or, for one list that any caller may read and change:

${stage}:
  tokenIssuer: none
`;
}
