// `npm start`, `npm run dev`, `npm run local` and others: `serverless offline` with the options of the script, once all
// that it needs is there. It shows the service's lines only; SLS_LOG_LEVEL=notice also shows the emulator's.
import './end-with-shell.cjs';
import { checkRequirements } from '../requirements.mjs';

checkRequirements(process.argv.some((option) => ['--watch', '--local'].includes(option)));
console.log('Building the service, and starting serverless-offline: this takes a few seconds.');
process.env.SLS_LOG_LEVEL ??= 'warning';
process.argv.splice(2, 0, 'offline');
await import('serverless/bin/serverless.js');
