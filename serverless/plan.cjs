// Serverless Framework loads JavaScript only.
module.exports = require('tsx/cjs/api').require('./plan.ts', __filename).default;
