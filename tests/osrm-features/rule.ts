import type { AskedRow, JudgedCell } from './judged-row.js';

/** A reason for which a cell differs from what OSRM expects. It may ask for contents, never for names. */
export interface Rule {
  readonly id: string;
  /** `decision`: meant to differ. `no concept`: not a part of this engine, or not yet. */
  readonly kind: 'decision' | 'no concept';
  readonly reason: string;
  /** Other engines that do as this one does, where that is known. */
  readonly like: readonly string[];
  readonly covers: (cell: JudgedCell, row: AskedRow) => boolean;
}
