import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { idsOf, type Template } from '../../serverless/changes/deployed-stack.js';
import { type Gateway, gateways, restUnder, type Sent } from '../support/gateways/gateways.js';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION, EXAMPLE } from '../support/service/documented.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { copyForPackaging, runAll, stagesFile } from './packaging.js';
import { DOMAIN } from './stages.js';
import { changed, updateFaults } from './updates.js';

const PLAIN = { region: 'eu-central-1', table: 'items-live', tokenIssuer: 'none' };
const ZONE = { hostedZone: 'Z0123456789ABCDEFGHIJ' };
const STAGES = {
  rest: PLAIN,
  restAtDomain: { ...PLAIN, ...DOMAIN },
  restInZone: { ...PLAIN, ...DOMAIN, ...ZONE },
  restClosed: { ...PLAIN, ...DOMAIN, ...ZONE, defaultAddress: 'false' },
  otherCertificate: { ...PLAIN, ...DOMAIN, ...ZONE, certificate: `${DOMAIN.certificate}4` },
  otherDomain: { ...PLAIN, ...DOMAIN, ...ZONE, domain: 'items.example.com' },
  http: { ...PLAIN, frontDoor: 'http' },
  httpAtDomain: { ...PLAIN, ...DOMAIN, frontDoor: 'http' },
  httpInZone: { ...PLAIN, ...DOMAIN, ...ZONE, frontDoor: 'http' },
  httpClosed: { ...PLAIN, ...DOMAIN, ...ZONE, frontDoor: 'http', defaultAddress: 'false' },
} as const;
type Name = keyof typeof STAGES;
const NAMES = Object.keys(STAGES) as Name[];
let templates: Record<Name, Template>;

const project = copyForPackaging(temporaryFolder());

beforeAll(async () => {
  const runs = NAMES.map((name) => ({
    command: `package --stage live --package packaged/${name}`,
    files: stagesFile({ live: STAGES[name] }),
  }));
  for (const { code, printed } of await runAll(project, runs)) if (code !== 0) throw new Error(printed);
  const read = (name: Name) =>
    JSON.parse(readFileSync(join(project, `packaged/${name}/cloudformation-template-update-stack.json`), 'utf8'));
  templates = Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Record<Name, Template>;
});

const propertiesOf = (name: Name, id: string) => templates[name].Resources[id]?.Properties;

describe('a domain', () => {
  it.each<[Name, object]>([
    ['restAtDomain', { ApiId: { Ref: 'ApiGatewayRestApi' }, Stage: { Ref: 'ApiStage' } }],
    ['restInZone', { ApiId: { Ref: 'ApiGatewayRestApi' }, Stage: { Ref: 'ApiStage' } }],
    ['httpAtDomain', { ApiId: { Ref: 'HttpApi' }, Stage: { Ref: 'HttpApiStage' } }],
    ['httpInZone', { ApiId: { Ref: 'HttpApi' }, Stage: { Ref: 'HttpApiStage' } }],
  ])('has its certificate, takes TLS 1.2 and later, and leads to the stage of the API: %s', (name, target) => {
    expect(propertiesOf(name, 'Domain')).toEqual({
      DomainName: DOMAIN.domain,
      DomainNameConfigurations: [
        { CertificateArn: DOMAIN.certificate, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
      ],
    });
    // Without a key: the whole domain leads there, so no prefix is left in the path.
    expect(propertiesOf(name, 'DomainMapping')).toEqual({ DomainName: { Ref: 'Domain' }, ...target });
    expect(idsOf(templates[name], 'AWS::ApiGatewayV2::DomainName')).toEqual(['Domain']);
    expect(Object.keys(templates[name].Resources)).toEqual(
      expect.arrayContaining(Object.values(target).map(({ Ref }) => Ref)),
    );
  });

  it.each<Name>(['restInZone', 'httpInZone'])('gets a record in the zone, which leads to it: %s', (name) => {
    expect(propertiesOf(name, 'DomainRecord')).toEqual({
      HostedZoneId: ZONE.hostedZone,
      Name: DOMAIN.domain,
      Type: 'A',
      AliasTarget: {
        DNSName: { 'Fn::GetAtt': ['Domain', 'RegionalDomainName'] },
        HostedZoneId: { 'Fn::GetAtt': ['Domain', 'RegionalHostedZoneId'] },
      },
    });
    expect(templates[name].Outputs).not.toHaveProperty('DomainTarget');
  });

  it.each<Name>(['restAtDomain', 'httpAtDomain'])('without a zone, says what to enter into DNS: %s', (name) => {
    const { DomainTarget, DomainTargetZone } = templates[name].Outputs;
    expect([DomainTarget?.Value, DomainTargetZone?.Value]).toEqual([
      { 'Fn::GetAtt': ['Domain', 'RegionalDomainName'] },
      { 'Fn::GetAtt': ['Domain', 'RegionalHostedZoneId'] },
    ]);
    expect(templates[name].Resources).not.toHaveProperty('DomainRecord');
  });

  it.each<[Name, base: string]>([
    ['rest', `https://\${ApiGatewayRestApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/live/`],
    ['http', `https://\${HttpApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/`],
    ['restAtDomain', `https://\${Domain}/`],
    ['restClosed', `https://\${Domain}/`],
    ['httpInZone', `https://\${Domain}/`],
  ])('is the address that a deployment prints: %s', (name, base) => {
    const { ApiUrl, PageUrl } = templates[name].Outputs;
    expect(ApiUrl?.Value).toEqual({ 'Fn::Sub': base + COLLECTION.slice(1) });
    expect(PageUrl?.Value).toEqual({ 'Fn::Sub': `${base}swagger/ui` });
  });

  it.each<Name>(['rest', 'http'])('is not there unless it is asked for: %s', (name) => {
    const { Resources, Outputs } = templates[name];
    expect([...Object.keys(Resources), ...Object.keys(Outputs)].filter((id) => id.startsWith('Domain'))).toEqual([]);
    expect(JSON.stringify(Outputs)).not.toContain('Domain}');
  });
});

describe('an update', () => {
  const AT_DOMAIN = [
    'rest',
    'restAtDomain',
    'restInZone',
    'restClosed',
    'otherCertificate',
    'http',
    'httpAtDomain',
    'httpInZone',
  ] as const;
  it.each(AT_DOMAIN)(
    'that adds, changes or removes a domain, or changes the front door behind it, replaces nothing: from %s',
    (from) => {
      const faults = AT_DOMAIN.map((to) => [to, updateFaults(templates[from], templates[to])]);
      expect(faults).toEqual(AT_DOMAIN.map((to) => [to, []]));
    },
  );

  it('to another domain replaces the domain, what it leads to, and its record', () => {
    expect(updateFaults(templates.restInZone, templates.otherDomain).sort()).toEqual([
      'Domain is replaced',
      'DomainMapping is replaced',
      'DomainRecord is replaced',
    ]);
  });

  it('fails if another resource of the stage gets a domain that is still there', () => {
    const { Domain } = templates.restInZone.Resources;
    const moved = changed(templates.restInZone, { Moved: Domain, Domain: undefined });
    expect(updateFaults(templates.restInZone, moved)).toContainEqual(
      expect.stringMatching(/^Moved can't be made: Domain has/),
    );
  });
});

describe('defaultAddress', () => {
  it.each<[Name, api: string, isClosed: boolean]>([
    ['rest', 'ApiGatewayRestApi', false],
    ['restInZone', 'ApiGatewayRestApi', false],
    ['restClosed', 'ApiGatewayRestApi', true],
    ['http', 'HttpApi', false],
    ['httpInZone', 'HttpApi', false],
    ['httpClosed', 'HttpApi', true],
  ])('is said either way, because an update may leave what says nothing as it is: %s', (name, api, isClosed) => {
    expect(propertiesOf(name, api)).toHaveProperty('DisableExecuteApiEndpoint', isClosed);
  });

  it('counts at once for a REST API: each packaging has a deployment of its own, which is made after the API is changed', () => {
    const [before = '', after = ''] = [templates.restInZone, templates.restClosed].flatMap((template) =>
      idsOf(template, 'AWS::ApiGateway::Deployment'),
    );
    expect(after).not.toBe(before);
    expect(propertiesOf('restClosed', after)).toMatchObject({ RestApiId: { Ref: 'ApiGatewayRestApi' } });
    expect(propertiesOf('restClosed', 'ApiStage')).toMatchObject({ DeploymentId: { Ref: after } });
  });
});

/** An API as its callers see it at a domain: what they send has no stage in its path. */
function atDomain(gateway: Gateway): Gateway {
  const event = (sent: Sent) => {
    const made = gateway.event(sent) as { headers: object; requestContext: object };
    const requestContext = { ...made.requestContext, domainName: DOMAIN.domain, domainPrefix: 'todo' };
    return { ...made, headers: { ...made.headers, Host: DOMAIN.domain }, requestContext };
  };
  return { ...gateway, event };
}

it.each([
  ['a REST API', restUnder('')],
  ['an HTTP API', gateways.find(({ name }) => name === 'an HTTP API') as Gateway],
])('at a domain of %s, no address that the service hands out has a prefix', async (_name, gateway) => {
  const { call } = startDeployed(atDomain(gateway));
  const created = await call('POST', COLLECTION, { body: JSON.stringify(EXAMPLE) });
  expect(created.headers.location).toMatch(new RegExp(`^${COLLECTION}/[\\da-f-]{36}$`));
  await call('POST', COLLECTION, { body: JSON.stringify(EXAMPLE) });
  const list = await call('GET', `${COLLECTION}?limit=1`);
  expect(list.headers.link).toMatch(new RegExp(`^<${COLLECTION}\\?`));
  expect((await call('GET', '/')).headers.location).toBe('/swagger/ui');
  const { json } = await call('GET', '/swagger/v1/openapi.json');
  expect(json.servers).toEqual([{ url: '/' }]);
});
