import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { NOWHERE } from './nowhere.js';

/** What a shell has besides bash's own commands. */
export interface ShellOptions {
  /** Scripts that are run in the place of commands, by name. Each begins with its `#!`. */
  readonly standIns?: Readonly<Record<string, string>>;
  /** The commands of this machine that may be called. */
  readonly tools?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * Opens a shell for commands of guides. Those delete stacks and tables, so it must never reach AWS's command line with the
 * credentials of whoever runs the tests: its environment is built from nothing, its home is empty, no start-up file is read, AWS's
 * endpoints lead nowhere, and only the commands that are named here are found. Before each script, every stand-in must answer
 * with a word that is written in it alone.
 *
 * @param home - An empty folder, which is also the working directory.
 * @returns A function that runs a script, and returns what it printed. It throws if a command fails, or if a stand-in is not the
 * one that is called: then, nothing of the script is run.
 * @throws Error that names a tool that this machine lacks.
 */
export function openShell(home: string, { standIns = {}, tools = [], variables = {} }: ShellOptions) {
  const [bin, word] = [join(home, 'bin'), randomUUID()];
  mkdirSync(bin);
  for (const tool of tools) symlinkSync(placeOf(tool), join(bin, tool));
  for (const [name, script] of Object.entries(standIns)) {
    const place = join(home, `${name}.stand-in`);
    writeFileSync(place, script, { mode: 0o755 });
    const answering = `#!/bin/sh\n[ "$*" = '${QUESTION}' ] && echo ${word} && exit\nexec '${place}' "$@"\n`;
    writeFileSync(join(bin, name), answering, { mode: 0o755 });
  }
  const checks = Object.keys(standIns).map(
    (name) => `[ "$(${name} ${QUESTION})" = ${word} ] || { echo '${name} is not the stand-in' >&2; exit 1; }\n`,
  );
  const env = { ...NOWHERE, ...variables, HOME: home, PATH: bin };
  const bash = placeOf('bash');
  return async (script: string): Promise<string> => {
    const options = ['--norc', '--noprofile', '-ec', UNKNOWN + checks.join('') + script];
    return (await promisify(execFile)(bash, options, { cwd: home, env })).stdout;
  };
}

/** Ends the whole script, which would otherwise go on where a condition fails, such as that of a loop. */
const UNKNOWN = 'command_not_found_handle() { echo "$1: command not found" >&2; kill $$; }\n';

const QUESTION = 'are you the stand-in';

function placeOf(tool: string): string {
  const places = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, tool));
  const place = places.find((place) => existsSync(place));
  if (!place) throw new Error(`${tool} is not installed: the guides need it`);
  return place;
}
