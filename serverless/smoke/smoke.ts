// `npm run smoke -- URL` tries a deployed stage as its callers do.
import { watchForInterruption } from './interruption.js';
import { runSmoke } from './run.js';
import { Fault } from './said.js';

// If the reader of the output has gone, the command still has to clean up.
process.stdout.on('error', () => {});
runSmoke(process.argv.slice(2), process.env, (line) => process.stdout.write(`${line}\n`), watchForInterruption()).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    console.error(error instanceof Fault ? error.message : error);
    process.exitCode = 1;
  },
);
