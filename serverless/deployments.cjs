// Serverless Framework loads JavaScript only.
module.exports = require('tsx/cjs/api').require('./deployments.ts', __filename).default;
