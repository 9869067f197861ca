// Serverless Framework loads JavaScript only.
module.exports = require('tsx/cjs/api').require('./plugin.ts', __filename).default;
