export interface Parameter {
  /** Empty text means that it is not set. */
  readonly default: string;
  /** The function's environment variable, which the function itself checks. In the stage dev, the shell's counts. */
  readonly variable?: string;
  /** What a parameter that the function does not know takes, in words and as a check. */
  readonly takes?: string;
  readonly accepts?: (value: string) => boolean;
}

/** osls takes no other region, not even a new one of AWS. */
const REGIONS = [
  ...['af-south-1', 'ap-east-1', 'ap-east-2', 'ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3', 'ap-south-1'],
  ...['ap-south-2', 'ap-southeast-1', 'ap-southeast-2', 'ap-southeast-3', 'ap-southeast-4', 'ap-southeast-5'],
  ...['ap-southeast-6', 'ap-southeast-7', 'ca-central-1', 'ca-west-1', 'cn-north-1', 'cn-northwest-1', 'eu-central-1'],
  ...['eu-central-2', 'eu-north-1', 'eu-south-1', 'eu-south-2', 'eu-west-1', 'eu-west-2', 'eu-west-3', 'il-central-1'],
  ...['me-central-1', 'me-south-1', 'mx-central-1', 'sa-east-1', 'us-east-1', 'us-east-2', 'us-gov-east-1'],
  ...['us-gov-west-1', 'us-iso-east-1', 'us-iso-west-1', 'us-isob-east-1', 'us-west-1', 'us-west-2'],
];

/** The parameters of a stage. docs/parameters.md lists the same. */
export const PARAMETERS = {
  table: setting('TABLE_NAME'),
  tokenIssuer: setting('TOKEN_ISSUER'),
  tokenAudience: setting('TOKEN_AUDIENCE'),
  listBy: setting('LIST_BY'),
  readScope: setting('TOKEN_READ_SCOPE'),
  writeScope: setting('TOKEN_WRITE_SCOPE'),
  tokenClient: setting('TOKEN_CLIENT'),
  corsOrigins: setting('CORS_ORIGINS'),
  logLevel: setting('LOG_LEVEL', 'info'),
  region: region(),
  frontDoor: choice('rest', 'http', 'url'),
  signedCalls: choice('false', 'true'),
  domain: text(
    'a domain name in small letters, like api.example.com',
    /^(?=.{4,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]([a-z\d-]{0,61}[a-z\d])$/,
  ),
  certificate: text(
    'the ARN of a certificate of ACM, like arn:aws:acm:eu-central-1:123456789012:certificate/ID',
    /^arn:aws[a-z-]*:acm:[a-z\d-]+:\d{12}:certificate\/[\w-]+$/,
  ),
  hostedZone: text('the id of a hosted zone of Route 53, like Z0123456789ABCDEFGHIJ', /^Z[A-Z\d]{1,31}$/),
  defaultAddress: choice('true', 'false'),
  throttle: number('requests a second', { from: 1, to: 100_000 }),
  // With the least, the worst bodies of 1 MiB leave a fifth of the memory free (docs/reliability.md). It comes with a
  // third of a processor, and costs less than the requests: a million calls of 5 ms cost 4 cents.
  memorySize: number('megabytes', { default: 640, from: 640, to: 10_240 }),
  reservedConcurrency: text('a number of instances from 0, which stops the stage, or none', /^(none|\d{1,5})$/),
  logRetention: choice(
    ...['14', '1', '3', '5', '7', '30', '60', '90', '120', '150', '180', '365', '400', '545', '731', '1827'],
    ...['2192', '2557', '2922', '3288', '3653'],
  ),
  accessLog: choice('false', 'true'),
  alarmEmail: text('an e-mail address', /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/),
  dashboard: choice('false', 'true'),
  tracing: choice('false', 'true'),
  permissionsBoundary: text(
    'the ARN of a policy, like arn:aws:iam::123456789012:policy/boundary',
    /^arn:aws[a-z-]*:iam::(\d{12}|aws):policy\/[\w+=,.@/-]+$/,
  ),
  functionRole: role(),
  deploymentRole: role(),
  deploymentBucket: text('the name of a bucket, like pipeline-live-bucket-1a2b3c', /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/),
} satisfies Readonly<Record<string, Parameter>>;

/** Checked, and with their defaults. */
export type Parameters = Readonly<Record<keyof typeof PARAMETERS, string>>;

export function variablesOf(parameters: Parameters): Record<string, string> {
  const variables = Object.entries<Parameter>(PARAMETERS).flatMap(([name, { variable }]) =>
    variable ? [[variable, parameters[name as keyof Parameters]]] : [],
  );
  return Object.fromEntries(variables);
}

/** `none` and an empty variable are the same for the function, so both make the same template. */
export function environmentOf(parameters: Parameters): Record<string, string> {
  const variables = Object.entries(variablesOf(parameters));
  return Object.fromEntries(variables.map(([name, value]) => [name, value === 'none' ? '' : value]));
}

function setting(variable: string, otherwise = ''): Parameter {
  return { default: otherwise, variable };
}

/** The first value is the default. */
function choice(...values: readonly [string, ...string[]]): Parameter {
  const takes = values.join(', ').replace(/, ([^,]+)$/, ' or $1');
  return { default: values[0], takes, accepts: (value) => values.includes(value) };
}

function region(): Parameter {
  const takes = `one of the ${REGIONS.length} regions that osls knows, like eu-central-1`;
  return { default: '', takes, accepts: (value) => REGIONS.includes(value) };
}

function text(takes: string, pattern: RegExp): Parameter {
  return { default: '', takes, accepts: (value) => pattern.test(value) };
}

function role(): Parameter {
  const pattern = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/;
  return text('the ARN of a role, like arn:aws:iam::123456789012:role/name', pattern);
}

function number(unit: string, range: { default?: number; from: number; to: number }): Parameter {
  const { default: otherwise = '', from, to } = range;
  const isWithin = (value: string) => /^\d+$/.test(value) && Number(value) >= from && Number(value) <= to;
  return { default: String(otherwise), takes: `${unit}, a whole number from ${from} to ${to}`, accepts: isWithin };
}
