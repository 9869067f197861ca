import { environmentOf, type Parameters } from '../parameters/parameters.js';

/** Parts of a CloudFormation template, by logical id. */
export type Resources = Readonly<Record<string, object>>;

/** Leaves a property out. */
export const NO_VALUE = { Ref: 'AWS::NoValue' };

/** Where a stage is deployed, besides its parameters. */
export interface Place {
  readonly service: string;
  readonly stage: string;
  /** Of the function, in seconds. */
  readonly timeout: number;
  /** The logical id of a REST API's deployment, which is new at each packaging. */
  readonly deployment: string;
}

export interface Domain {
  readonly name: string;
  /** An ARN. */
  readonly certificate: string;
  /** The id in Route 53; undefined if the record is made elsewhere. */
  readonly hostedZone: string | undefined;
}

/** What an operator has decided about a stage. */
export interface Stage extends Place {
  /** Service and stage, the start of all names. */
  readonly name: string;
  readonly region: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Undefined if items are in memory. */
  readonly table: string | undefined;
  /** Whether pages of other origins may call. */
  readonly cors: boolean;
  readonly logLevel: string;
  readonly frontDoor: 'rest' | 'http' | 'url';
  readonly signedCalls: boolean;
  readonly domain: Domain | undefined;
  /** Whether the address that AWS gives to an API is open. */
  readonly defaultAddress: boolean;
  /** Requests a second, and at once. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** In megabytes. */
  readonly memorySize: number;
  /** Undefined for no limit. */
  readonly reservedConcurrency: number | undefined;
  /** In days. */
  readonly logRetention: number;
  readonly accessLog: boolean;
  /** Undefined for no alarms. */
  readonly alarmEmail: string | undefined;
  readonly dashboard: boolean;
  readonly tracing: boolean;
  /** An ARN. It limits the role that the stack makes. */
  readonly permissionsBoundary: string | undefined;
  /** An ARN; undefined if the stack makes one. */
  readonly functionRole: string | undefined;
  /** An ARN; undefined if CloudFormation acts with the rights of whoever deploys. */
  readonly deploymentRole: string | undefined;
  /** Undefined if the stack makes one. */
  readonly deploymentBucket: string | undefined;
}

/** Takes checked parameters. */
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

/** Only items in memory need all requests to reach the same instance. */
function reserved(reservedConcurrency: string, table: string | undefined): number | undefined {
  if (reservedConcurrency === '') return table ? undefined : 1;
  return reservedConcurrency === 'none' ? undefined : Number(reservedConcurrency);
}
