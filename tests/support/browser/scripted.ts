import type { Answer } from '../service/answer.js';
import { answerOf } from '../service/answer.js';
import type { Service } from '../service/service.js';

/** A request that reached the service. */
export interface Received {
  readonly method: string;
  /** Path and query as they were sent, without the prefix. */
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A service that notes what it is sent, and answers as a test wants. */
export interface ScriptedService extends Service {
  /** The requests that it got, the oldest first, without those for the page itself. */
  readonly received: Received[];
  /** Answers the next requests, in this order, instead of the service behind; a promise delays its answer. */
  answerNext(...answers: readonly (Answer | Promise<Answer>)[]): void;
  /** Forgets what was received, and which answers are left. */
  reset(): void;
}

/**
 * Puts itself in front of a service.
 *
 * @param service - What answers where the test has no answer of its own.
 */
export function scripted(service: Service): ScriptedService {
  const received: Received[] = [];
  const answers: (Answer | Promise<Answer>)[] = [];
  return {
    prefix: service.prefix,
    received,
    answerNext: (...next) => void answers.push(...next),
    reset() {
      received.length = 0;
      answers.length = 0;
    },
    async call(method, path, request = {}) {
      if (/^\/swagger\/ui\/?($|\?)/i.test(decodeURI(path))) return service.call(method, path, request);
      const { headers = {}, body } = request;
      received.push({ method, path, headers, body: body as string | undefined });
      return answers.shift() ?? service.call(method, path, request);
    },
  };
}

/** Writes an answer with JSON in it: problems under their own media type. */
export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const type = status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json';
  return answerOf(status, { 'Content-Type': type, ...headers }, Buffer.from(JSON.stringify(body)));
}
