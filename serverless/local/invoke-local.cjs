// What `serverless invoke local` invokes: it loads `.js` and `.cjs` only, and the service is built as `.mjs`.
exports.handler = async (event, context) => (await import('../../dist/api.mjs')).handler(event, context);
