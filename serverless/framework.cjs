// What serverless.yml asks for. Serverless Framework loads JavaScript only.
module.exports = require('tsx/cjs/api').require('./framework.ts', __filename);
