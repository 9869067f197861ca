import type { Resources } from '../stage.js';

/** What receives the requests: a REST API, an HTTP API or a function URL. */
export interface FrontDoor {
  /** The function's events, as serverless.yml has them. */
  readonly events: readonly object[];
  /** Whether the function has a URL. */
  readonly url: boolean;
  /** The address, for Fn::Sub. It ends with a slash. */
  readonly base: string;
  /** What a domain leads to: properties of its mapping. Undefined where AWS maps none. */
  readonly target: { readonly ApiId: object; readonly Stage: object } | undefined;
  readonly resources: Resources;
  /** Changes of what Serverless Framework makes, by logical id. */
  readonly extensions: Resources;
  readonly metrics: Metrics;
}

/** What CloudWatch counts of a front door. */
export interface Metrics {
  readonly namespace: string;
  readonly dimensions: Readonly<Record<string, unknown>>;
  /** The name of the metric that counts all requests. */
  readonly requests: string;
  /** The name of the metric that counts 4xx. */
  readonly clientErrors: string;
  /** The name of the metric that counts 5xx. */
  readonly serverErrors: string;
}
