import type rows from './rows.json';

type Areas = typeof rows;
/** A row of the acceptance tables, or a fault (`F8`). */
export type Row = {
  [Area in keyof Areas]: {
    [Section in keyof Areas[Area]]: keyof Areas[Area][Section];
  }[keyof Areas[Area]];
}[keyof Areas];

/** One change to one file of the product that must turn the test red; `npm run controls` makes it. */
export interface Mutant {
  /** Path from the root. */
  readonly in: string;
  /** Text that stands in the file once. */
  readonly change: string;
  readonly to: string;
}

/** A test in which the same harness judges a build that is known to be bad, and expects red. */
export interface KnownBad {
  /** Its title. */
  readonly test: string;
  /** Its file, unless it is that of the statement. */
  readonly file?: string;
}

export interface Evidence {
  /** What the row requires, with its own figure. */
  readonly asked: string;
  /** What this test or bench shows, with the figure used here. */
  readonly shown: string;
  /** `shown` is smaller than `asked`: by which factor, and why. */
  readonly scaled?: string;
  /** What of the row no test shows. */
  readonly missing?: string;
  /** Settings that differ from the defaults of production, with their values. */
  readonly settings?: readonly string[];
  /** What must turn it red: a mutant that a tool can make, a known-bad build in a test, or words. */
  readonly control?: string | Mutant | KnownBad;
  /**
   * Of a fault: it is caused and measured over HTTP, WebSocket, the log, a server's own protocol or signals
   * only. Such tests are the scenarios of `meridian bench faults`.
   */
  readonly from?: 'outside';
  /** A run in `tools/prove/proofs.js` that shows `asked` completely; its last result counts. */
  readonly proof?: string;
}

/**
 * States what the test below it, or the bench that it stands in, shows of a row. `docs/acceptance.md` is made
 * from these statements. Nothing happens at run time.
 *
 * A call and not a comment: the compiler checks rows and fields. A statement before the test and not an
 * argument of it: the test stays as it is. `tools/acceptance/read-evidence.js` reads the syntax tree without
 * running anything, so every value is a literal.
 */
export function proves(_row: Row, _evidence: Evidence): void {}
