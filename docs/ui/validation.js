/**
 * A plugin of swagger-ui: what is wrong with a request is left to the service, whose answer says how to put it right.
 * Only an operation whose path lacks a parameter would be another one. An id is sent as it was typed, whatever is in it.
 *
 * @param {object} system - swagger-ui's.
 * @returns {object} The plugin.
 */
export function validation({ specActions, specSelectors }) {
  const lacksPath = (place) => {
    const values = specSelectors.parameterValues(place).toJS();
    return Object.keys(values).some((name) => name.startsWith('path.') && !values[name]);
  };
  return {
    statePlugins: {
      spec: {
        wrapActions: {
          validateParams: (validate) => (place) =>
            lacksPath(place) ? validate(place) : specActions.clearValidateParams(place),
          executeRequest: (execute) => (request) => execute({ ...request, parameters: encodePath(request.parameters) }),
        },
      },
    },
  };
}

/** swagger-ui would take an id with a percent sign for one that is encoded already. */
function encodePath(parameters) {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      name.startsWith('path.') ? encodeURIComponent(value.toWellFormed()) : value,
    ]),
  );
}
