const { statSync } = require('node:fs');
const { resolve, sep } = require('node:path');

const FOLDER = resolve('dist');
let built;
let service;

/** Passes each event to the newest build, or to the last one that could be loaded. */
exports.handler = async (event, context) => {
  // The folder is missing while another takes its place.
  const { mtimeMs = built } = statSync(`${FOLDER}/api.cjs`, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs !== built) load();
  built = mtimeMs;
  return service.handler(event, context);
};

function load() {
  for (const file of Object.keys(require.cache)) if (file.startsWith(FOLDER + sep)) delete require.cache[file];
  try {
    service = require(`${FOLDER}/api.cjs`);
  } catch (error) {
    console.error(error);
  }
}
