import { environmentOf, type Parameters } from '../parameters/parameters.js';

/** Parts of a CloudFormation template, by logical id. */
export type Resources = Readonly<Record<string, object>>;

/** The value that leaves a property out. */
export const NO_VALUE = { Ref: 'AWS::NoValue' };

/** Where a stage is deployed, besides its parameters. */
export interface Place {
  readonly service: string;
  readonly stage: string;
  /** Seconds that the function may take for a request. */
  readonly timeout: number;
  /** The name in the template of the deployment of a REST API, which is new at each packaging. */
  readonly deployment: string;
}

/** A domain of the operator's. */
export interface Domain {
  readonly name: string;
  /** The ARN of its certificate. */
  readonly certificate: string;
  /** The id of the zone of Route 53 that gets its record; undefined if its record is made elsewhere. */
  readonly hostedZone: string | undefined;
}

/** What an operator has decided about a stage, as the makers of its parts read it. */
export interface Stage extends Place {
  /** The service and the stage: what all that is deployed is called. */
  readonly name: string;
  readonly region: string;
  /** The function's variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** The table that keeps the items; undefined where they are in memory. */
  readonly table: string | undefined;
  /** Whether pages of other origins may call. */
  readonly cors: boolean;
  readonly logLevel: string;
  readonly frontDoor: 'rest' | 'http' | 'url';
  readonly signedCalls: boolean;
  /** Its address besides the default one; undefined if it has none. */
  readonly domain: Domain | undefined;
  /** Whether the address that AWS gives to an API is open. */
  readonly defaultAddress: boolean;
  /** How many requests the front door lets through: a second, and at once. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** In megabytes. */
  readonly memorySize: number;
  /** How many instances there are at most; undefined for no limit of the stage's own. */
  readonly reservedConcurrency: number | undefined;
  /** In days. */
  readonly logRetention: number;
  readonly accessLog: boolean;
  /** The address that alarms are mailed to; undefined if none. */
  readonly alarmEmail: string | undefined;
  /** Whether CloudWatch shows what is watched. */
  readonly dashboard: boolean;
  /** Whether X-Ray gets a trace of requests. */
  readonly tracing: boolean;
  /** The ARN of the policy that limits the role that the stack makes for the function. */
  readonly permissionsBoundary: string | undefined;
  /** The ARN of the function's role; undefined if the stack makes one. */
  readonly functionRole: string | undefined;
  /** The ARN of the role as which CloudFormation acts; undefined if it acts with the rights of whoever deploys. */
  readonly deploymentRole: string | undefined;
  /** The bucket that deployments are uploaded to; undefined if the stack makes one. */
  readonly deploymentBucket: string | undefined;
}

/** Reads parameters that were checked. */
export function stageOf(parameters: Parameters, place: Place): Stage {
  const environment = environmentOf(parameters);
  const table = environment.TABLE_NAME || undefined;
  const rate = Number(parameters.throttle || 100);
  return {
    ...place,
    name: `${place.service}-${place.stage}`,
    region: parameters.region,
    environment,
    table,
    cors: environment.CORS_ORIGINS !== '',
    logLevel: parameters.logLevel,
    frontDoor: parameters.frontDoor as Stage['frontDoor'],
    signedCalls: parameters.signedCalls === 'true',
    domain: domainOf(parameters),
    defaultAddress: parameters.defaultAddress === 'true',
    throttle: { rate, burst: Math.ceil(rate / 2) },
    memorySize: Number(parameters.memorySize),
    reservedConcurrency: reserved(parameters.reservedConcurrency, table),
    logRetention: Number(parameters.logRetention),
    accessLog: parameters.accessLog === 'true',
    alarmEmail: parameters.alarmEmail || undefined,
    dashboard: parameters.dashboard === 'true',
    tracing: parameters.tracing === 'true',
    permissionsBoundary: parameters.permissionsBoundary || undefined,
    functionRole: parameters.functionRole || undefined,
    deploymentRole: parameters.deploymentRole || undefined,
    deploymentBucket: parameters.deploymentBucket || undefined,
  };
}

function domainOf({ domain, certificate, hostedZone }: Parameters): Domain | undefined {
  return domain ? { name: domain, certificate, hostedZone: hostedZone || undefined } : undefined;
}

/** Only items in memory need all requests to come to the same instance. */
function reserved(reservedConcurrency: string, table: string | undefined): number | undefined {
  if (reservedConcurrency === '') return table ? undefined : 1;
  return reservedConcurrency === 'none' ? undefined : Number(reservedConcurrency);
}
