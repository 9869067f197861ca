// npm run load: the service over HTTP, through serverless-offline, for a minute and over 100 connections.
import { startOffline } from '../support/offline.js';
import { putUnderLoad } from './load.js';

const seconds = Number(process.env.LOAD_SECONDS ?? 60);
const connections = Number(process.env.LOAD_CONNECTIONS ?? 100);

const service = await startOffline();
const { calls, faults, times, memory, left } = await putUnderLoad(service, connections, seconds);
await service.stop();

console.log(`${calls} calls over ${connections} connections in ${seconds} s: ${Math.round(calls / seconds)} a second`);
console.log(`${faults.length} faults${faults.slice(0, 10).map((fault) => `\n  ${fault}`)}; ${left} item left of 1`);
for (const [operation, measured] of times) {
  const sorted = measured.sort((a, b) => a - b);
  const at = (share: number) => `${(sorted[Math.floor(share * (sorted.length - 1))] as number).toFixed(1)} ms`;
  console.log(`${operation.padEnd(12)} p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, longest ${at(1)}`);
}
const third = Math.ceil(memory.length / 3);
const peaks = [0, 1, 2].map((part) => Math.max(...memory.slice(part * third, (part + 1) * third)).toFixed(0));
console.log(`memory at most ${peaks.join(', ')} MB in the first, second and last third`);
process.exitCode = faults.length > 0 || left !== 1 ? 1 : 0;
