/**
 * Makes the page's own copy of the description document.
 *
 * @param {object} document - The document as it is served; it is changed.
 * @param {URL} root - Where the service is, as this browser sees it.
 * @returns {object} The document with calls going there, JSON asked for first, and each example under every media type.
 */
export function adapt(document, root) {
  document.basePath = root.pathname.replace(/\/$/, '') || '/';
  for (const operation of Object.values(document.paths).flatMap(Object.values)) {
    const json = operation.produces.filter((type) => type === 'application/json');
    operation.produces = [...new Set([...json, ...operation.produces])];
    for (const response of Object.values(operation.responses)) spreadExample(response, operation.produces);
  }
  return document;
}

/** swagger-ui shows an example only under the type that is chosen, and problem details are none to choose. */
function spreadExample(response, produces) {
  if (!response.examples) return;
  const [example] = Object.values(response.examples);
  response.examples = Object.fromEntries(['application/json', ...produces].map((type) => [type, example]));
}
