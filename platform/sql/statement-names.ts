import { sqlLimits } from './limits.js';
import { sqlState } from './sql.js';

/**
 * Names for repeated statements: PostgreSQL then parses and plans them once for each connection instead of
 * each time. A text has no name the first time, so that statements which are never repeated leave nothing
 * behind.
 */
export class StatementNames {
  readonly #names = new Map<string, string | undefined>();
  #last = 0;

  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const comesAgain = this.#names.has(text);
    if (!comesAgain && this.#names.size >= sqlLimits.statementNamesMax) return undefined;
    this.#last += 1;
    const name = comesAgain ? `s${this.#last}` : undefined;
    this.#names.set(text, name);
    return name;
  }

  /** From now on, all names are new, because a table of the old plans has changed. */
  renew(): void {
    this.#names.clear();
  }
}

/**
 * The connection has lost what was prepared on it, as by `DEALLOCATE ALL` or behind a pooler that does not
 * know prepared statements.
 */
export const hasForgotten = (error: unknown): boolean => sqlState(error) === '26000';

/**
 * A table got other columns since the statement was planned, or its plan is gone; the same statement under
 * another name is planned again.
 */
export const isStalePlan = (error: unknown): boolean =>
  hasForgotten(error) ||
  (sqlState(error) === '0A000' && error instanceof Error && error.message.includes('cached plan'));
