import type { Parameters } from './parameters.js';

/**
 * Finds what a stage other than dev must say.
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

/** Were the shell's the default, a deployment from another shell would make the stage a second time somewhere else. */
function regionMissing(stage: string): string {
  return `Nothing says in which region the stage ${stage} is. Add to serverless/stages.yml:

${stage}:
  region: ${process.env.AWS_REGION || 'eu-central-1'}
`;
}

/** Were memory the default, a deployment that forgets the table would move the service away from its data. */
function tableMissing(stage: string): string {
  return `Nothing says where the stage ${stage} keeps its items. Add to serverless/stages.yml, for a table (docs/dynamodb.md):

${stage}:
  table: items-${stage}

or, for items in memory, which are lost with the function's instance:

${stage}:
  table: none
`;
}

/** Were an open service the default, a deployment that forgets the issuer would show everybody's items to everybody. */
function issuerMissing(stage: string): string {
  return `Nothing says who may call the stage ${stage}. Add to serverless/stages.yml, for a list for each person who signs in (docs/authorization.md):

${stage}:
  tokenIssuer: https://login.example.com
  tokenAudience: todo

or, for one list that everybody may read and change:

${stage}:
  tokenIssuer: none
`;
}
