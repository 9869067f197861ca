/** How to reach a table. */
export interface Access {
  /** A URL without a path. */
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: Credentials;
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Whether a header field can carry it. AWS's credentials consist of visible ASCII characters. */
export function isCredential(text: string): boolean {
  return /^[!-~]+$/.test(text);
}

/** The URL of DynamoDB in a region of AWS. */
export function endpointOf(region: string): string {
  const [, domain = 'amazonaws.com'] = DOMAINS.find(([prefix]) => region.startsWith(prefix)) ?? [];
  return `https://dynamodb.${region}.${domain}`;
}

/** Those of AWS's partitions, by the beginning of their regions' names, as in the AWS SDK (`partitions.json`). */
const DOMAINS: readonly (readonly [prefix: string, domain: string])[] = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
  ['us-iso-', 'c2s.ic.gov'],
  ['us-isob-', 'sc2s.sgov.gov'],
  ['us-isof-', 'csp.hci.ic.gov'],
  ['eu-isoe-', 'cloud.adc-e.uk'],
];
