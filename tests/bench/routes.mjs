// Times ours with the service's routes alone and with many more: node routes.mjs FILE EFFORT.
import { eventText } from './events.mjs';
import { load, report } from './load.mjs';
import { timeByTurns } from './timing.mjs';

const effort = JSON.parse(process.argv[3]);
const { handlerWith } = await load();
const get = { texts: (count) => new Array(count).fill(eventText('GET', '/api/todo/nobody')) };
const [few, hundred, thousand] = [await timed(0), await timed(100), await timed(1_000)];
report({ 'get with 100 more routes': hundred / few, 'get with 1,000 more routes': thousand / few });

async function timed(more) {
  return (await timeByTurns(handlerWith(more), { get }, effort)).get;
}
