import { context } from './events.mjs';

/**
 * Prepares the timing of operations. Each call has an event object of its own, as under Lambda.
 *
 * @param {Function} handler
 * @param {ReturnType<import('./operations.mjs').operationsOn>} operations - By name.
 * @param {readonly string[]} throughJson - Which ones to time also with the JSON of event and result.
 * @param {() => number} now - The clock, in microseconds.
 * @returns {(count: number) => Promise<Record<string, number>>} Calls each operation so often, and gives the microseconds
 * that one call took.
 */
export function createTimer(handler, operations, throughJson, now) {
  return async (count) => {
    const figures = {};
    for (const [name, { texts, after, undo }] of Object.entries(operations)) {
      figures[name] = (await timePlain(now, handler, texts(count), after)) / count;
      if (!throughJson.includes(name)) continue;
      figures[`${name}, through JSON`] = (await timeWithJson(now, handler, texts(count), undo)) / count;
    }
    return figures;
  };
}

/** The time that goes by, in microseconds. */
export function wallClock() {
  return Number(process.hrtime.bigint()) / 1000;
}

/** The processor's time that this process has taken, in microseconds: for what takes long enough to be interrupted. */
export function processorClock() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function timePlain(now, handler, texts, after) {
  const events = texts.map((text) => JSON.parse(text));
  const results = [];
  const started = now();
  for (const event of events) results.push(await handler(event, context));
  const duration = now() - started;
  after?.(results);
  return duration;
}

async function timeWithJson(now, handler, texts, undo) {
  const results = [];
  const started = now();
  for (const text of texts) results.push(JSON.stringify(await handler(JSON.parse(text), context)));
  const duration = now() - started;
  await undo?.(results.map((result) => JSON.parse(result)));
  return duration;
}

/** The lower quartile: what others do on the machine meanwhile can only add to a time. */
export function quiet(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 2];
}

/** The middle one, or what lies between the two that are. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}
