import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { load, type Schema } from 'js-yaml';

const schema: Schema = createRequire(resolve('serverless.yml'))(
  'serverless/lib/utils/serverless-utils/cloudformation-schema',
);

/** Parses YAML as the framework does, with the short forms of CloudFormation's functions, for example `!Ref`. */
export function parseYaml(text: string): unknown {
  return load(text, { schema });
}
