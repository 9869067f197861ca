// `serverless invoke local` loads only `.js` and `.cjs`, and the service is built as `.mjs`.
exports.handler = async (event, context) => (await import('../../dist/api.mjs')).handler(event, context);
