// `npm start`: runs what was built under serverless-offline, whose options it takes.
import { runService } from './run.js';

process.exitCode = await runService({ options: process.argv.slice(2) });
