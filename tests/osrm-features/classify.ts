import type { AskedRow, JudgedCell } from './judged-row.js';
import type { Rule } from './rule.js';
import { rules } from './rules.js';
import { hasSameDirections } from './same-directions.js';

export const outcomes = ['agree', 'direction', 'decision', 'no concept', 'wrong'] as const;
export type Outcome = (typeof outcomes)[number];

export interface Verdict {
  readonly outcome: Outcome;
  /** The rules that cover what differs; with several, the row counts for the first. */
  readonly rules: readonly Rule[];
}

/** Columns in which the instructions of a route are told. */
const told = new Set(['route', 'turns', 'locations']);

export function classify(row: AskedRow): Verdict {
  // Nothing that is expected is found where nothing is served.
  const different = row.status === 404 ? row.cells : row.cells.filter(({ isSame }) => !isSame);
  if (different.length === 0) return { outcome: 'agree', rules: [] };
  const ruleOf = (cell: JudgedCell): Rule | undefined => rules.find(({ covers }) => covers(cell, row));
  const left: JudgedCell[] = [];
  const found = new Set<Rule>();
  for (const cell of different) {
    const rule = ruleOf(cell);
    if (rule === undefined) left.push(cell);
    else found.add(rule);
  }
  const isTold = left.length > 0 && left.every(({ column }) => told.has(column)) && hasSameDirections(row);
  if (left.length > 0 && !isTold) return { outcome: 'wrong', rules: [] };
  const all = [...found];
  if (all.some(({ kind }) => kind === 'no concept')) return { outcome: 'no concept', rules: all };
  return { outcome: isTold ? 'direction' : 'decision', rules: all };
}
