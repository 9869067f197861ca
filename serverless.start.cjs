const { spawnSync } = require('node:child_process');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

/**
 * Has serverless-offline end at once where the function can't be loaded, instead of answering each request with 502.
 *
 * It is loaded in a process of its own, with the environment that it is going to have.
 */
module.exports = class {
  constructor(serverless) {
    const load = () => {
      const { environment } = serverless.service.provider;
      const { status, stderr } = spawnSync(process.execPath, ['-e', script(serverless.serviceDir)], {
        encoding: 'utf8',
        env: { ...process.env, AWS_REGION: serverless.getProvider('aws').getRegion(), ...environment },
      });
      if (status !== 0) throw new serverless.classes.Error(`The function does not start: ${stderr}`);
    };
    this.hooks = { 'before:offline:start': load, 'before:offline:start:init': load };
  }
};

function script(folder) {
  const module = pathToFileURL(join(folder, 'dist/api.mjs')).href;
  return `import('${module}').catch(({ message }) => { process.stderr.write(message); process.exitCode = 1; })`;
}
