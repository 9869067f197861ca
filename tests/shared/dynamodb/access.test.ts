import { expect, it } from '@jest/globals';
import { endpointOf } from '../../../shared/dynamodb/access.js';

it.each([
  ['eu-central-1', 'amazonaws.com'],
  ['us-gov-west-1', 'amazonaws.com'],
  ['eu-south-2', 'amazonaws.com'],
  ['xx-future-1', 'amazonaws.com'],
  ['cn-north-1', 'amazonaws.com.cn'],
  ['eusc-de-east-1', 'amazonaws.eu'],
  ['us-iso-east-1', 'c2s.ic.gov'],
  ['us-isob-east-1', 'sc2s.sgov.gov'],
  ['us-isof-south-1', 'csp.hci.ic.gov'],
  ['eu-isoe-west-1', 'cloud.adc-e.uk'],
])('DynamoDB in %s is in the domain %s', (region, domain) => {
  expect(endpointOf(region)).toBe(`https://dynamodb.${region}.${domain}`);
});
