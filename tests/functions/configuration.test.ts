import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../functions/configuration.js';
import { loadHandler } from '../support/service.js';

describe('the configuration', () => {
  it.each([{}, { CORS_ORIGINS: '', LOG_LEVEL: '' }])('has defaults for %j', (environment) => {
    expect(readConfiguration(environment)).toEqual({ corsOrigins: [], logLevel: 'info' });
  });

  it('takes origins separated by commas', () => {
    const { corsOrigins } = readConfiguration({ CORS_ORIGINS: 'https://a.example.com, http://localhost:8080,' });
    expect(corsOrigins).toEqual(['https://a.example.com', 'http://localhost:8080']);
  });

  it.each(['debug', 'info', 'warn', 'error', 'silent'])('takes the log level %s', (level) => {
    expect(readConfiguration({ LOG_LEVEL: level }).logLevel).toBe(level);
  });

  it.each([
    [{ CORS_ORIGINS: 'https://a.example.com/' }, 'CORS_ORIGINS has "https://a.example.com/": name origins like'],
    [{ CORS_ORIGINS: 'https://b.example.com,example' }, 'CORS_ORIGINS has "example"'],
    [{ CORS_ORIGINS: `https://${'a'.repeat(260)}` }, 'CORS_ORIGINS has "https://aaa'],
    [{ CORS_ORIGINS: 'null' }, 'CORS_ORIGINS has "null"'],
    [{ LOG_LEVEL: 'INFO' }, 'LOG_LEVEL is "INFO": it takes debug, info, warn, error, silent'],
  ])('refuses %j at load', (environment, message) => {
    expect(() => loadHandler(environment)).toThrow(message);
  });
});
