import { context } from './events.mjs';

/**
 * Times operations by turns, so that none has the machine's good moments to itself. Each call has an event object of its
 * own, as under Lambda.
 *
 * @param {Function} handler
 * @param {ReturnType<import('./operations.mjs').operationsOn>} operations - By name.
 * @param {{ warmUp: number, passes: number, batch: number }} effort - The most milliseconds to warm up; how often each
 * operation then counts, and with how many calls at a time.
 * @param {readonly string[]} throughJson - Which ones to time also with the JSON of event and result.
 * @returns {Promise<Record<string, number>>} The median of the passes, in microseconds a call.
 */
export async function timeByTurns(handler, operations, { warmUp, passes, batch }, throughJson = []) {
  const figures = {};
  const record = (name, duration, count) => {
    figures[name] ??= [];
    figures[name].push((duration * 1000) / count);
  };
  const takeTurns = async (count) => {
    for (const [name, { texts, after, undo }] of Object.entries(operations)) {
      record(name, await timePlain(handler, texts(count), after), count);
      if (!throughJson.includes(name)) continue;
      record(`${name}, through JSON`, await timeWithJson(handler, texts(count), undo), count);
    }
  };
  const end = performance.now() + warmUp;
  for (let calls = 0; calls < WARM && performance.now() < end; calls += 5 * batch) await takeTurns(5 * batch);
  for (let pass = 0; pass < passes; pass += 1) await takeTurns(batch);
  return Object.fromEntries(Object.entries(figures).map(([name, all]) => [name, median(all.slice(-passes))]));
}

/** After so many calls, V8 has compiled what it will. */
const WARM = 5_000;

async function timePlain(handler, texts, after) {
  const events = texts.map((text) => JSON.parse(text));
  const results = [];
  const started = performance.now();
  for (const event of events) results.push(await handler(event, context));
  const duration = performance.now() - started;
  after?.(results);
  return duration;
}

async function timeWithJson(handler, texts, undo) {
  const results = [];
  const started = performance.now();
  for (const text of texts) results.push(JSON.stringify(await handler(JSON.parse(text), context)));
  const duration = performance.now() - started;
  await undo?.(results.map((result) => JSON.parse(result)));
  return duration;
}

/** The middle one, or what lies between the two that are. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}
