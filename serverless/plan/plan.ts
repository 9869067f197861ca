import { readFileSync } from 'node:fs';
import type { Parameters } from '../parameters/parameters.js';
import { makeDomain } from './front-door/domain.js';
import type { FrontDoor } from './front-door/front-door.js';
import { makeHttpApi } from './front-door/http.js';
import { makeRestApi } from './front-door/rest.js';
import { makeFunctionUrl } from './front-door/url.js';
import { makeRole, ROLE } from './role.js';
import { NO_VALUE, type Place, type Resources, type Stage, stageOf } from './stage.js';
import { makeAlarms } from './watch/alarms.js';
import { makeDashboard } from './watch/dashboard.js';
import { watchedOf } from './watch/watched.js';

/** What serverless.yml asks about a stage. */
export interface Plan {
  readonly region: string;
  /** An ARN; null if CloudFormation acts with the rights of whoever deploys. */
  readonly deploymentRole: string | null;
  /** Null if the stack makes one. */
  readonly deploymentBucket: string | null;
  /** An ARN, or the logical id of the one that the stack makes. */
  readonly functionRole: string;
  readonly environment: Readonly<Record<string, string>>;
  /** In megabytes. */
  readonly memorySize: number;
  readonly reservedConcurrency: number | object;
  /** In days. */
  readonly logRetention: number;
  /** Whether any caller may read and change the one list, without a token or a signature. */
  readonly isOpen: boolean;
  readonly deletionProtection: boolean;
  readonly tracing: boolean;
  readonly events: readonly object[];
  readonly url: boolean;
  readonly resources: { readonly Resources: Resources; readonly extensions: Resources; readonly Outputs: Resources };
}

const FRONT_DOORS: Readonly<Record<Stage['frontDoor'], (stage: Stage) => FrontDoor>> = {
  rest: makeRestApi,
  http: makeHttpApi,
  url: makeFunctionUrl,
};

/**
 * Plans all that is deployed for a stage and depends on its parameters.
 *
 * @param parameters - Checked, and with their defaults.
 */
export function planStage(parameters: Parameters, place: Place): Plan {
  const stage = stageOf(parameters, place);
  const { region, environment, memorySize, reservedConcurrency = NO_VALUE, logRetention, tracing } = stage;
  const frontDoor = FRONT_DOORS[stage.frontDoor](stage);
  const domain = makeDomain(stage, frontDoor);
  const watched = watchedOf(stage, frontDoor.metrics);
  const isWatched = stage.alarmEmail !== undefined || stage.dashboard;
  const Resources = Object.assign(
    {
      ...makeRole(stage),
      ...frontDoor.resources,
      ...domain?.resources,
      ...makeAlarms(stage, watched),
      ...makeDashboard(stage, watched),
    },
    ...(isWatched ? watched.map(({ filters }) => filters) : []),
  );
  return {
    region,
    deploymentRole: stage.deploymentRole ?? null,
    deploymentBucket: stage.deploymentBucket ?? null,
    functionRole: stage.functionRole ?? ROLE,
    environment,
    memorySize,
    reservedConcurrency,
    logRetention,
    isOpen: !environment.TOKEN_ISSUER && !stage.signedCalls,
    deletionProtection: stage.stage !== 'dev',
    tracing,
    events: frontDoor.events,
    url: frontDoor.url,
    resources: {
      Resources,
      extensions: frontDoor.extensions,
      Outputs: { ...makeOutputs(domain?.base ?? frontDoor.base), ...domain?.outputs },
    },
  };
}

/**
 * The addresses that `serverless info --verbose` prints.
 *
 * @param base - For Fn::Sub, with a slash at the end.
 */
function makeOutputs(base: string): Resources {
  const { paths } = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));
  const [list = ''] = Object.keys(paths);
  return {
    ApiUrl: { Description: 'The list of items', Value: { 'Fn::Sub': base + list.slice(1) } },
    PageUrl: { Description: 'The page to try the API out', Value: { 'Fn::Sub': `${base}swagger/ui` } },
  };
}
