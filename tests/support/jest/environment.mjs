import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

const require = createRequire(import.meta.url);

/** Node.js, with the driver of browsers, which a worker loads once for all of its files: Jest would load it again for each. */
export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.loadPlaywright = () => require('playwright-core');
  }
}
