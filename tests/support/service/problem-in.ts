import { isProblem, type Problem } from '../../../shared/problem.js';

/** What a function returns, or the problem that it throws. */
export function problemIn<Value>(run: () => Value): Value | Problem {
  try {
    return run();
  } catch (error) {
    if (isProblem(error)) return error;
    throw error;
  }
}
