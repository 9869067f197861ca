import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Before the run: a file in which the workers note which of the document's answers they have seen. */
export default function setup() {
  process.env.ANSWERS_FILE = join(mkdtempSync(join(tmpdir(), 'todo-answers-')), 'answers.txt');
  writeFileSync(process.env.ANSWERS_FILE, '');
}
