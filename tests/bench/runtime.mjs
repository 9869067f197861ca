// Loads of Node.js what AWS's runtime client has loaded before a handler: the rest is the handler's own to load. By
// require, as the client does it, for an import would load much more.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
for (const name of ['path', 'fs', 'net', 'http', 'os', 'util', 'worker_threads']) require(`node:${name}`);
