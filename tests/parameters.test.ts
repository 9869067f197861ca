import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../functions/configuration.js';
import { copyProject, runServerless } from './support/deployment.js';
import { checkParameters } from './support/derived.js';

const folder = mkdtempSync(join(tmpdir(), 'todo-parameters-'));

beforeAll(() => {
  copyProject(join(folder, 'project'));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** What Serverless Framework says when it fails. */
function refusalOf(command: readonly string[], environment: object = {}): string {
  try {
    runServerless(command, join(folder, 'project'), environment);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`serverless ${command.join(' ')} did not fail`);
}

describe('a parameter that is wrong', () => {
  it.each([
    [{ reservedConcurrency: '2' }, 'reservedConcurrency is "2": it takes 1 or none'],
    [{ corsOrigins: 'example.com' }, 'corsOrigins is "example.com": it takes origins like https://example.com'],
    [{ corsOrigins: 'https://a.example.com/' }, 'it takes origins like https://example.com, separated by commas, or *'],
    [{ logLevel: 'loud' }, 'logLevel is "loud": it takes debug, info, warn, error or silent'],
    [{ todoTable: 'to do' }, `todoTable is "to do": it takes a table's name, 3 to 255 of the characters`],
    [{ todoTable: 'to' }, 'todoTable is "to"'],
    [{ tableRemoval: 'retain' }, 'tableRemoval is "retain": it takes Retain or Delete'],
    [{ tableKey: 'mine' }, 'tableKey is "mine": it takes aws-owned or aws-managed'],
    [{ alarmEmail: 'operator' }, 'alarmEmail is "operator": it takes an e-mail address'],
    [{ accessLog: 'yes' }, 'accessLog is "yes": it takes true or false'],
  ])('is refused, and says what it takes: %j', async (parameters, message) => {
    await expect(checkParameters(parameters)).rejects.toHaveProperty('stack', expect.stringContaining(message));
  });

  it('is refused where its name is unknown, and all are told at once', async () => {
    const refused = checkParameters({ logLevel: 'loud', accessLog: 'yes' }, ['loglevel=info', 'logLevel=loud']);
    await expect(refused).rejects.toHaveProperty(
      'stack',
      expect.stringMatching(
        /^\nthere is no parameter loglevel: there are .*\nlogLevel is "loud".*\naccessLog is "yes".*$/,
      ),
    );
  });

  it.each([
    [
      'corsOrigins',
      'CORS_ORIGINS',
      ['', '*', ' * ', '*,', 'http://a, *', 'https://a.example.com, http://localhost:3000', 'null', 'a', 'https://a/'],
    ],
    ['logLevel', 'LOG_LEVEL', ['', 'debug', 'info', 'warn', 'error', 'silent', 'trace', 'INFO']],
    ['todoTable', 'TODO_TABLE', ['', 'abc', 'a.b-c_D', 'ab', 'a b', 'é'.repeat(3), 'a'.repeat(255), 'a'.repeat(256)]],
  ])('is one that the function would refuse: %s', async (parameter, variable, values) => {
    const environment = { AWS_REGION: 'r', AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's' };
    for (const value of values) {
      const packaged = await checkParameters({ [parameter]: value }).then(
        () => 'taken',
        () => 'refused',
      );
      expect([value, packaged]).toEqual([value, readsAs({ ...environment, [variable]: value })]);
    }
  });

  it.each(['package', 'print', 'deploy', 'offline'])(
    'ends serverless %s at once',
    (command) => {
      const said = refusalOf([command], { LOG_LEVEL: 'loud' });
      expect(said).toContain('logLevel is "loud": it takes debug, info, warn, error or silent');
      expect(said).not.toMatch(/\n +at |Server ready/);
    },
    60_000,
  );
});

function readsAs(environment: Record<string, string>): 'taken' | 'refused' {
  try {
    readConfiguration(environment);
    return 'taken';
  } catch {
    return 'refused';
  }
}
