import { VALUES } from '../support/service/resource.js';
import type { Members } from './item.js';
import type { Random } from './random.js';

/** What a POST sends. */
export interface Post {
  readonly members: Members;
  readonly idempotencyKey?: string;
}

/** Chooses what callers post. Texts of new items are never the same, so that one whose key nobody was told is known by it. */
export class Posts {
  readonly #random: Random;
  readonly #sent: (Required<Post> & { readonly first: number })[] = [];
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A POST of a new item. */
  create(): Post {
    this.#count += 1;
    return { members: { text: `item ${this.#count}`, option: this.#random.pick(VALUES) } };
  }

  /**
   * A POST of a new item with an `Idempotency-Key`; or one that was sent before, sometimes with other members.
   *
   * @param now - In milliseconds.
   */
  createOnce(now: number): Post {
    const kind = this.#random.next();
    const known = this.#sent.filter(({ first }) => now - first < MAX_AGE);
    if (known.length === 0 || kind < 0.15) {
      const post = { ...this.create(), idempotencyKey: `key-${this.#sent.length}`, first: now };
      this.#sent.push(post);
      return post;
    }
    const { members, idempotencyKey } = this.#random.pick(known);
    return { members: kind < 0.25 ? this.create().members : members, idempotencyKey };
  }
}

/** The milliseconds after which a key is not sent any more: an hour, less the time that a call may take. */
const MAX_AGE = 3_500_000;
