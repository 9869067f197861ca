import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** What tests do in any browser. */
export interface Tab {
  /** Loads a page, and waits until it has. */
  visit(url: string): Promise<void>;
  /** Runs the body of an async function in the page, and returns its result. */
  run(script: string, ...given: readonly unknown[]): Promise<unknown>;
  /** Types into the element that a CSS selector finds, and then presses Control and Enter. */
  typeAndSend(selector: string, text: string): Promise<void>;
  stop(): Promise<void>;
}

/** @returns The path of Firefox, from FIREFOX_PATH or found on the PATH; undefined if there is none. */
export function installedFirefox(): string | undefined {
  const { FIREFOX_PATH, PATH = '' } = process.env;
  const folders = PATH.split(delimiter);
  const installed = ['firefox', 'firefox-esr'].flatMap((name) => folders.map((folder) => join(folder, name)));
  return FIREFOX_PATH || installed.find((path) => existsSync(path));
}

/** Starts Firefox, headless, and drives it by Marionette, its built-in protocol for WebDriver, which needs only a socket. */
export async function startFirefox(path: string): Promise<Tab> {
  const profile = mkdtempSync(join(tmpdir(), 'todo-firefox-'));
  writeFileSync(join(profile, 'user.js'), PREFERENCES);
  const browser = spawn(path, ['--headless', '--marionette', '--no-remote', '--profile', profile], { stdio: 'ignore' });
  const ended = once(browser, 'exit');
  const socket = connect(await portOf(browser, join(profile, 'MarionetteActivePort')), '127.0.0.1');
  const messages = messagesFrom(socket);
  // The first one names the protocol.
  await messages.next();

  async function send(name: string, parameters: object): Promise<unknown> {
    const message = JSON.stringify([0, 1, name, parameters]);
    socket.write(`${Buffer.byteLength(message)}:${message}`);
    const [, , error, result] = (await messages.next()).value as Reply;
    if (error) throw new Error(`${error.error}: ${error.message}`);
    return result?.value;
  }

  await send('WebDriver:NewSession', { pageLoadStrategy: 'normal', timeouts: { script: 120_000 } });
  return {
    visit: async (url) => void (await send('WebDriver:Navigate', { url })),
    run(body, ...args) {
      const script = `const done = arguments[arguments.length - 1];
        (async (...given) => { ${body} })(...Array.prototype.slice.call(arguments, 0, -1)).then(done, (error) => done({ error: String(error) }));`;
      return send('WebDriver:ExecuteAsyncScript', { script, args });
    },
    async typeAndSend(selector, text) {
      const found = await send('WebDriver:FindElement', { using: 'css selector', value: selector });
      const [id] = Object.values(found as Record<string, string>);
      // As WebDriver names Control and Enter.
      await send('WebDriver:ElementSendKeys', { id, text: `${text}\ue009\ue007` });
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

type Reply = [type: 1, number: number, error: { error: string; message: string } | null, result?: { value?: unknown }];

/** Messages are JSON behind their length in bytes: `[0, number, command, parameters]`, answered by a {@link Reply}. */
async function* messagesFrom(socket: Socket): AsyncGenerator<unknown> {
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    for (let colon = received.indexOf(':'); colon > 0; colon = received.indexOf(':')) {
      const end = colon + 1 + Number(received.subarray(0, colon));
      if (received.length < end) break;
      const message = received.subarray(colon + 1, end).toString();
      received = received.subarray(end);
      yield JSON.parse(message);
    }
  }
}
