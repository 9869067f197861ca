import { refusalIn } from './refusals.js';

/** `refused`: no attempt has written anything. `unknown`: one may have. */
export type WriteOutcome = 'applied' | 'refused' | 'unknown';

/** Follows the writes of one request, so that a failure tells its caller whether an item may have changed. */
export class Writes {
  /** Of the last write. The store begins another one only when it knows what became of this one. */
  outcome: WriteOutcome = 'refused';
  /** Stays true for the rest of the request. The row of an `Idempotency-Key` is no item. */
  isItemWritten = false;

  get mayBeApplied(): boolean {
    return this.isItemWritten || this.outcome !== 'refused';
  }

  async attempt<Reply>(send: () => Promise<Reply>): Promise<Reply> {
    const before = this.outcome;
    // Before it is sent, because the total time-out may end the request before the reply comes.
    this.outcome = 'unknown';
    try {
      const reply = await send();
      this.outcome = 'applied';
      return reply;
    } catch (error) {
      if (refusalIn(error)) this.outcome = before;
      throw error;
    }
  }
}
