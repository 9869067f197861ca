import { name } from '../../package.json';

/** The boundary of the role that the stack makes. */
export const BOUNDARY = `arn:aws:iam::123456789012:policy/${name}-live-boundary`;

/** What serverless/pipeline.yml makes for the stage `live`, as docs/deploy-from-ci.md names it. */
export const PIPELINE = {
  functionRole: `arn:aws:iam::123456789012:role/function-${name}-live`,
  deploymentRole: `arn:aws:iam::123456789012:role/cloudformation-${name}-live`,
  deploymentBucket: 'pipeline-live-bucket-1a2b3c4d5e6f',
};

/** A domain, as docs/deploy.md names it. */
export const DOMAIN = {
  domain: 'api.example.com',
  certificate: 'arn:aws:acm:eu-central-1:123456789012:certificate/12345678-1234-1234-1234-123456789012',
};

const memory = { region: 'eu-central-1', table: 'none', tokenIssuer: 'none' };
const table = { ...memory, table: 'items-live', alarmEmail: 'operator@example.com', permissionsBoundary: BOUNDARY };
const signIn = { ...table, tokenIssuer: 'https://login.example.com', tokenAudience: 'client' };
const origins = 'https://a.example.com,https://b.example.com';

/** The parameters of the stages that are tried. In at least one of them, each parameter is another than its default. */
export const STAGES = {
  'rest-memory': {
    ...{ ...memory, corsOrigins: origins, accessLog: 'true', alarmEmail: 'operator@example.com' },
    ...{ dashboard: 'true', tracing: 'true' },
  },
  'rest-sign-in': {
    ...signIn,
    ...{ ...PIPELINE, permissionsBoundary: '' },
    listBy: 'tenant',
    readScope: 'read',
    writeScope: 'write',
    tokenClient: 'page',
    corsOrigins: '*',
  },
  'rest-signed': {
    ...{ ...table, signedCalls: 'true', accessLog: 'true', corsOrigins: origins, throttle: '25' },
    ...{ ...DOMAIN, hostedZone: 'Z0123456789ABCDEFGHIJ', defaultAddress: 'false' },
  },
  'http-memory': { ...memory, frontDoor: 'http', reservedConcurrency: 'none', tracing: 'true' },
  'http-signed': {
    ...{ ...table, ...DOMAIN },
    ...{
      frontDoor: 'http',
      signedCalls: 'true',
      accessLog: 'true',
      throttle: '25',
      logRetention: '30',
      logLevel: 'warn',
      dashboard: 'true',
    },
  },
  'url-sign-in': {
    ...signIn,
    frontDoor: 'url',
    memorySize: '1024',
    reservedConcurrency: '20',
    logLevel: 'debug',
    dashboard: 'true',
    tracing: 'true',
  },
} satisfies Record<string, Readonly<Record<string, string>>>;

export type StageName = keyof typeof STAGES;
export const STAGE_NAMES = Object.keys(STAGES) as StageName[];
