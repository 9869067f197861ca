import type { Resources, Stage } from '../stage.js';
import type { FrontDoor } from './front-door.js';

export interface AtDomain {
  readonly resources: Resources;
  readonly outputs: Resources;
  /** For Fn::Sub, with a slash at the end. */
  readonly base: string;
}

/**
 * Makes a domain that leads to the API. Also for REST APIs it is of API Gateway's second version, so that another front
 * door changes the mapping in place, and the address stays.
 *
 * @returns Undefined for a stage without a domain.
 */
export function makeDomain({ domain }: Stage, { target }: FrontDoor): AtDomain | undefined {
  if (!domain || !target) return undefined;
  const { name, certificate, hostedZone } = domain;
  const host = { 'Fn::GetAtt': ['Domain', 'RegionalDomainName'] };
  const zone = { 'Fn::GetAtt': ['Domain', 'RegionalHostedZoneId'] };
  return {
    resources: {
      Domain: {
        Type: 'AWS::ApiGatewayV2::DomainName',
        Properties: {
          DomainName: name,
          // HTTP APIs take no other policy: TLS 1.2 and 1.3.
          DomainNameConfigurations: [
            { CertificateArn: certificate, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
          ],
        },
      },
      DomainMapping: {
        Type: 'AWS::ApiGatewayV2::ApiMapping',
        Properties: { DomainName: { Ref: 'Domain' }, ...target },
      },
      ...(hostedZone && {
        DomainRecord: {
          Type: 'AWS::Route53::RecordSet',
          Properties: {
            HostedZoneId: hostedZone,
            Name: name,
            Type: 'A',
            AliasTarget: { DNSName: host, HostedZoneId: zone },
          },
        },
      }),
    },
    outputs: hostedZone
      ? {}
      : {
          DomainTarget: { Description: 'The target of a CNAME or ALIAS record of the domain', Value: host },
          DomainTargetZone: { Description: 'The hosted zone of that target, for an alias in Route 53', Value: zone },
        },
    base: `https://\${Domain}/`,
  };
}
