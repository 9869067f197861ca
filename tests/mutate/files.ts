import { readdirSync } from 'node:fs';

/** What takes more than a second to load or to run. */
const SLOW =
  /swagger\/|dynamodb\/send|schema\/oracle|(faults|fill|first-item|instances|more-members|second-resource|contended-writes|table)\.test/;
/** Left out: what repeats other tests, can't be in one file with them, or needs a browser. */
const LEFT_OUT = /functions\/(smoke|late-replies)|abuse\/page/;

/**
 * Lists the tests that look for planted faults.
 *
 * @param areSlow - Whether to list those that take long, or the others.
 * @returns The files, as `require` takes them.
 */
export function testFiles(areSlow: boolean): string[] {
  return ['shared', 'functions', 'abuse']
    .flatMap((folder) =>
      readdirSync(`tests/${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.ts') && !LEFT_OUT.test(file))
    .filter((file) => SLOW.test(file) === areSlow)
    .map((file) => `../${file.replace(/ts$/, 'js')}`);
}
