import { readFileSync } from 'node:fs';
import type { Resources } from './cloudformation.js';

/**
 * Makes the addresses that `serverless info --verbose` prints.
 *
 * @param base - The address of the front door, for Fn::Sub. It ends with a slash.
 */
export function makeOutputs(base: string): Resources {
  const { paths } = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));
  const [list = ''] = Object.keys(paths);
  return {
    ApiUrl: { Description: 'The list of items', Value: { 'Fn::Sub': base + list.slice(1) } },
    PageUrl: { Description: 'The page to try the API out', Value: { 'Fn::Sub': `${base}swagger/ui` } },
  };
}
