import { expect } from '@jest/globals';
import { name } from '../../package.json';
import type { Parameters } from '../../serverless/parameters/parameters.js';
import { readParameters } from '../../serverless/parameters/read.js';
import { planStage } from '../../serverless/plan/plan.js';
import type { Place } from '../../serverless/plan/stage.js';

/** The beginning of the path of a resource in a plan, and the paths of what depends on much. */
export const RESOURCES = '^resources\\.Resources\\.';
export const DASHBOARD = '^resources\\.Resources\\.Dashboard\\.Properties\\.DashboardBody\\.Fn::Sub$';
/** What differs behind another front door. */
export const FRONT_DOOR: readonly [string, ...string[]] = [
  '^(events|url|resources\\.(extensions\\.(Deployment|ApiGatewayRestApi|HttpApi\\w*)|Outputs))\\b',
  `${RESOURCES}(ApiStage|\\w+Response|FailuresAlarm)\\b`,
  DASHBOARD,
];

/** A stage, and the paths at which its plan changed. */
export type Change = readonly [from: string, paths: readonly string[]];

const PLACE: Place = { service: 'service', stage: 'live', timeout: 10, deployment: 'Deployment' };

/** What is known of a stage when a command reads its parameters. */
export interface Known {
  /** Its name; `live` if there is none. */
  readonly stage?: string;
  /** stages.yml. */
  readonly blocks?: Readonly<Record<string, object | null>>;
  /** The options `--param` and `--region`. */
  readonly param?: readonly string[];
  readonly region?: string;
}

/** Reads the parameters of a stage. In place of Serverless Framework, it looks for each in the command, and in the stage's block. */
export function readStage({ stage = 'live', blocks = {}, ...options }: Known): Promise<Parameters> {
  const given = Object.fromEntries((options.param ?? []).map((parameter) => parameter.split('=')));
  const values: Record<string, unknown> = { ...blocks.default, ...blocks[stage], ...given };
  const resolveVariable = async (variable: string) =>
    variable === 'self:service' ? name : (values[/^param:(\w+), ''$/.exec(variable)?.[1] ?? ''] ?? '');
  return readParameters({ options, resolveVariable, resolveConfigurationProperty: async () => blocks }, stage);
}

/** The plan of a stage, or the reason why the parameters are refused. */
export async function planOf(
  given: Readonly<Record<string, string>>,
  place: Partial<Place> = {},
): Promise<object | string> {
  try {
    return planStage(await readStage({ blocks: { live: given } }), { ...PLACE, ...place });
  } catch (error) {
    return (error as Error).stack as string;
  }
}

/** The paths at which two values differ. */
export function differences(one: unknown, other: unknown, path: readonly string[] = []): string[] {
  if (Object.is(one, other)) return [];
  if (!isObject(one) || !isObject(other)) return [path.join('.')];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => differences(one[name], other[name], [...path, name]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * Expects that each change is allowed, and that there is each that is.
 *
 * @param allowed - Patterns of paths, each of which has to change in at least one stage.
 * @param others - Patterns of paths that may change, too.
 */
export function expectJust(
  allowed: readonly string[],
  changes: readonly Change[],
  others: readonly string[] = [],
): void {
  const patterns = allowed.map((path) => new RegExp(path));
  const all = [...patterns, ...others.map((path) => new RegExp(path))];
  const rest = changes.map(([from, paths]) => [from, paths.filter((path) => !all.some((one) => one.test(path)))]);
  expect(rest).toEqual(changes.map(([from]) => [from, []]));
  const changed = changes.flatMap(([, paths]) => paths);
  expect(patterns.filter((pattern) => !changed.some((path) => pattern.test(path)))).toEqual([]);
}
