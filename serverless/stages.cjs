// Serverless Framework loads JavaScript only.
module.exports = require('tsx/cjs/api').require('./read-stages.ts', __filename).default;
