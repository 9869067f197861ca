import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Firefox, driven by Marionette, its built-in protocol for WebDriver, which needs only a socket. */
export interface Firefox {
  /** Loads a page, and waits until it has. */
  visit(url: string): Promise<void>;
  /** Runs the body of an async function in the page, and returns its result. */
  run(script: string, ...given: readonly unknown[]): Promise<unknown>;
  /** Types into an element that a CSS selector finds, as a keyboard would. */
  type(selector: string, keys: string): Promise<void>;
  stop(): Promise<void>;
}

/** @returns The path of Firefox, from FIREFOX_PATH or found on the PATH; undefined if there is none. */
export function installedFirefox(): string | undefined {
  const { FIREFOX_PATH, PATH = '' } = process.env;
  const folders = PATH.split(delimiter);
  const installed = ['firefox', 'firefox-esr'].flatMap((name) => folders.map((folder) => join(folder, name)));
  return FIREFOX_PATH || installed.find((path) => existsSync(path));
}

/**
 * Starts Firefox, headless, with a profile of its own.
 *
 * @param path - Where it is.
 */
export async function startFirefox(path: string): Promise<Firefox> {
  const profile = mkdtempSync(join(tmpdir(), 'todo-firefox-'));
  writeFileSync(join(profile, 'user.js'), PREFERENCES);
  const browser = spawn(path, ['--headless', '--marionette', '--no-remote', '--profile', profile], { stdio: 'ignore' });
  const ended = once(browser, 'exit');
  const socket = connect(await portOf(browser, join(profile, 'MarionetteActivePort')), '127.0.0.1');
  const send = commands(socket);
  await send('WebDriver:NewSession', { pageLoadStrategy: 'normal', timeouts: { script: 120_000 } });
  return {
    visit: async (url) => void (await send('WebDriver:Navigate', { url })),
    async run(body, ...args) {
      const script = `const done = arguments[arguments.length - 1];
        (async (...given) => { ${body} })(...Array.prototype.slice.call(arguments, 0, -1)).then(done, (error) => done({ error: String(error) }));`;
      return (await send('WebDriver:ExecuteAsyncScript', { script, args })).value;
    },
    async type(selector, keys) {
      const { value } = await send('WebDriver:FindElement', { using: 'css selector', value: selector });
      const [id] = Object.values(value as Record<string, string>);
      await send('WebDriver:ElementSendKeys', { id, text: keys });
    },
    async stop() {
      socket.destroy();
      browser.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

// Firefox chooses a free port, and does not use the network.
const PREFERENCES = `user_pref('marionette.port', 0);
user_pref('app.update.enabled', false);
user_pref('dom.ipc.processCount', 1);
user_pref('dom.ipc.processPrelaunch.enabled', false);
user_pref('fission.autostart', false);
user_pref('browser.shell.checkDefaultBrowser', false);
user_pref('browser.startup.page', 0);
user_pref('datareporting.policy.dataSubmissionEnabled', false);
user_pref('network.captive-portal-service.enabled', false);
user_pref('network.connectivity-service.enabled', false);
user_pref('services.settings.server', 'data:,');
user_pref('toolkit.telemetry.enabled', false);
`;

async function portOf(browser: ChildProcess, file: string): Promise<number> {
  while (!(existsSync(file) && readFileSync(file, 'utf8'))) {
    if (browser.exitCode !== null) throw new Error(`Firefox ended with ${browser.exitCode} before it could be driven.`);
    await wait(20);
  }
  return Number(readFileSync(file, 'utf8'));
}

type Reply = { readonly value?: unknown };

/** Messages are JSON behind their length in bytes: `[0, number, command, parameters]`, then `[1, number, error, result]`. */
function commands(socket: Socket): (name: string, parameters: object) => Promise<Reply> {
  const waiting = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>();
  let received = Buffer.alloc(0);
  let number = 0;
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (let colon = received.indexOf(':'); colon > 0; colon = received.indexOf(':')) {
      const end = colon + 1 + Number(received.subarray(0, colon));
      if (received.length < end) return;
      const [, answered, error, result] = asReply(received.subarray(colon + 1, end));
      received = received.subarray(end);
      if (error) waiting.get(answered)?.reject(new Error(`${error.error}: ${error.message}`));
      else waiting.get(answered)?.resolve(result);
    }
  });
  return (name, parameters) => {
    number += 1;
    const message = Buffer.from(JSON.stringify([0, number, name, parameters]));
    socket.write(Buffer.concat([Buffer.from(`${message.length}:`), message]));
    return new Promise((resolve, reject) => waiting.set(number, { resolve, reject }));
  };
}

/** The first message is not a reply: it names the protocol. */
function asReply(message: Buffer): [1, number, { error: string; message: string } | null, Reply] {
  const parsed = JSON.parse(message.toString());
  return Array.isArray(parsed) ? (parsed as ReturnType<typeof asReply>) : [1, 0, null, parsed];
}
