import type { Resources } from '../stage.js';

/** A REST API, an HTTP API or a function URL. */
export interface FrontDoor {
  /** As in serverless.yml. */
  readonly events: readonly object[];
  readonly url: boolean;
  /** For Fn::Sub, with a slash at the end. */
  readonly base: string;
  /** Properties of a domain's mapping; undefined if AWS maps none. */
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
  readonly requests: string;
  /** The name of the metric that counts 4xx. */
  readonly clientErrors: string;
  /** The name of the metric that counts 5xx. */
  readonly serverErrors: string;
}
