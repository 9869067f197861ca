import { documents, runTool } from './tool.mjs';

/**
 * Runs Spectral and Redocly on both documents. A warning fails, too.
 *
 * @returns {string} What was found.
 * @throws {Error} with what they complain about.
 */
export function check() {
  for (const document of Object.values(documents)) {
    runTool('spectral', ['lint', '--ruleset', '.spectral.yml', '--fail-severity', 'hint', document]);
    runTool('redocly', ['lint', '--config', 'redocly.yaml', '--max-problems', '1000', document]);
  }
  return 'Spectral and Redocly have nothing to say against either document';
}
