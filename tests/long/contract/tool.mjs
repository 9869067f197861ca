import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** This folder, with a slash at the end. */
export const here = fileURLToPath(new URL('.', import.meta.url));

/** The folder of the project, likewise. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The description documents, by their formats. */
export const documents = { 'Swagger 2.0': `${root}docs/swagger.json`, 'OpenAPI 3.1': `${root}docs/openapi.json` };

/**
 * Runs a command that this package has installed.
 *
 * @param {string} name - Its name.
 * @param {readonly string[]} options - What it is called with.
 * @returns {string} What it printed.
 * @throws {Error} with what it printed, when it fails.
 */
export function runTool(name, options) {
  try {
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    return execFileSync(`${here}../node_modules/.bin/${name}`, options, {
      cwd: here,
      encoding: 'utf8',
      env,
      stdio: 'pipe',
    });
  } catch (error) {
    throw new Error(`${name} ${options.join(' ')} failed:\n${error.stdout}${error.stderr}`);
  }
}
