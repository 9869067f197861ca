import { Fault, Interrupted, NotTried } from './said.js';
import type { ServedDocument } from './served-document.js';

export interface Stage {
  readonly document: ServedDocument;
}

export interface Check<Subject extends Stage = Stage> {
  readonly title: string;
  readonly advice: string;
  /** What the document may lack, as {@link ServedDocument.missing} takes it. Then the check is not tried. */
  readonly needs?: readonly string[];
  /**
   * @returns A text to print if the check does not pass and that is no fault.
   * @throws Fault with what came instead.
   * @throws NotTried if the check does not fit the stage.
   */
  trial(subject: Subject): Promise<unknown>;
}

type Outcome = 'passed' | 'failed' | 'untried';

/** Counts and prints what passes, what fails, and what is not tried. */
export class Report {
  readonly #count = { passed: 0, failed: 0, untried: 0 };

  constructor(readonly print: (line: string) => void) {}

  note(text: string): void {
    this.print(`-       ${text}.`);
  }

  untried(title: string, reason: string): void {
    this.#count.untried += 1;
    this.note(`${title}. Not tried because ${reason}`);
  }

  async try<Subject extends Stage>(check: Check<Subject>, subject: Subject): Promise<Outcome> {
    const missing = subject.document.missing(check.needs ?? []);
    if (missing.length === 0) return this.tell(check, () => check.trial(subject));
    this.untried(check.title, `the document has no ${missing.join(', no ')}`);
    return 'untried';
  }

  /** @throws Interrupted if the command was interrupted. */
  async tell({ title, advice }: Pick<Check, 'title' | 'advice'>, trial: () => Promise<unknown>): Promise<Outcome> {
    try {
      const note = await trial();
      if (typeof note === 'string') {
        this.note(note);
        return 'untried';
      }
      this.#count.passed += 1;
      this.print(`ok      ${title}.`);
      return 'passed';
    } catch (error) {
      if (error instanceof NotTried) {
        this.untried(title, error.message);
        return 'untried';
      }
      if (!(error instanceof Fault)) throw error;
      this.#count.failed += 1;
      this.print(`FAILED  ${error instanceof Interrupted ? error.message : `${title}. ${error.message} ${advice}`}`);
      if (error instanceof Interrupted) throw error;
      return 'failed';
    }
  }

  end(): 0 | 1 {
    const { passed, failed, untried } = this.#count;
    const others = untried > 0 ? ` ${untried} not tried.` : '';
    const all = failed > 0 ? `FAILED  ${failed} of ${passed + failed} checks.` : `PASSED  ${passed} checks.`;
    this.print(all + others);
    return failed > 0 ? 1 : 0;
  }
}
