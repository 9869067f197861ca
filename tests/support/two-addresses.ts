import dns, { type LookupAddress } from 'node:dns';
import { jest } from '@jest/globals';

/** Gives every host two addresses of this machine, until mocks are restored. */
export function lookUpTwoAddresses(): void {
  const addresses: LookupAddress[] = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  const lookup = (_host: string, _options: object, found: (error: null, addresses: LookupAddress[]) => void) =>
    found(null, addresses);
  jest.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
}
