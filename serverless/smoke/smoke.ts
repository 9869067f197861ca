// `npm run smoke -- URL`: tries a deployed stage as its callers do, and says what holds.
import { Fault } from './outcome.js';
import { runSmoke } from './run.js';

const interruption = new AbortController();
// More than once: a terminal sends it to npm and to this process, and npm passes it on.
process.on('SIGINT', () => interruption.abort());
try {
  process.exitCode = await runSmoke(process.argv.slice(2), process.env, console.log, interruption.signal);
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
