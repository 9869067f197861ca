/**
 * A plugin of swagger-ui: an item just created fills in where the id of such an item is asked for, and the body that
 * would replace it; but nothing that somebody typed.
 *
 * @param {object} system - swagger-ui's.
 * @returns {object} The plugin.
 */
export function offering(system) {
  /** What a body held before anybody edited it, by operation. */
  const untouched = new Map();
  return {
    statePlugins: {
      spec: {
        wrapActions: {
          changeParamByIdentity: (change) => (place, parameter, value, isXml) => {
            if (parameter.get('in') === 'body' && !untouched.has(`${place}`)) untouched.set(`${place}`, value);
            return change(place, parameter, value, isXml);
          },
          setResponse: (set) => (path, method, response) => {
            if (response.status === 201) offer(system, path, response, untouched);
            return set(path, method, response);
          },
        },
      },
    },
  };
}

function offer(system, collection, { headers, text }, untouched) {
  const id = decodeURIComponent(headers.location.split('/').pop());
  const item = JSON.stringify(JSON.parse(text), null, 2);
  for (const [path, operations] of Object.entries(system.specSelectors.specJson().get('paths').toJS())) {
    for (const [method, { parameters }] of Object.entries(operations)) {
      const place = [path, method];
      if (!path.startsWith(`${collection}/{`)) continue;
      for (const { name, in: where } of parameters) {
        if (where === 'path') system.specActions.changeParam(place, name, where, id);
        if (where === 'body' && method === 'put') offerBody(system, place, name, item, untouched);
      }
    }
  }
}

/** By name for an operation that was not opened yet, by identity for one that was: swagger-ui prefers the latter. */
function offerBody({ specActions, specSelectors }, place, name, body, untouched) {
  specActions.changeParam(place, name, 'body', body);
  const parameters = specSelectors.specJsonWithResolvedSubtrees().getIn(['paths', ...place, 'parameters']);
  const parameter = parameters.find((one) => one.get('in') === 'body');
  const { value } = specSelectors.parameterWithMetaByIdentity(place, parameter).toJS();
  if (!untouched.has(`${place}`) || value !== untouched.get(`${place}`)) return;
  untouched.set(`${place}`, body);
  specActions.changeParamByIdentity(place, parameter, body);
}
