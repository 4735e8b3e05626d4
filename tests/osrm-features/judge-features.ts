import { askScenario, isRun } from './ask-scenario.js';
import { classify, type Outcome, outcomes } from './classify.js';
import type { AskedRow } from './judged-row.js';
import { readScenarios } from './read-scenarios.js';
import type { ServedMaps } from './served-maps.js';

export type Counts = Readonly<Record<Outcome, number>>;
export const none: Counts = { agree: 0, direction: 0, decision: 0, 'no concept': 0, wrong: 0 };

/** A row with its verdict, for people who look for the reason. */
export interface Finding extends Omit<AskedRow, 'map'> {
  readonly file: string;
  readonly line: number;
  readonly scenario: string;
  readonly outcome: Outcome;
  readonly rules: readonly string[];
}

/** The folders whose files ask a router something. */
const judged = /^(bicycle|car|foot|guidance|nearest|options|testbot)\//;

/** Asks every row of every file. A scenario without a question for a router counts as `no concept`. */
export async function judgeFeatures(
  features: ReadonlyMap<string, string>,
  maps: ServedMaps,
  isWanted: (file: string) => boolean = () => true,
): Promise<{ readonly counts: Map<string, Counts>; readonly findings: Finding[] }> {
  const counts = new Map<string, Counts>();
  const findings: Finding[] = [];
  for (const [file, text] of [...features].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!judged.test(file) || !isWanted(file)) continue;
    const count = { ...none };
    for (const scenario of readScenarios(text, file).filter(isRun)) {
      const rows = await askScenario(scenario, maps);
      if (rows.length === 0) count['no concept'] += 1;
      for (const { map: _, ...row } of rows) {
        const { outcome, rules } = classify({ ...row, map: _ });
        count[outcome] += 1;
        const { line, name } = scenario;
        findings.push({ file, line, scenario: name, outcome, rules: rules.map(({ id }) => id), ...row });
      }
    }
    counts.set(file, count);
  }
  return { counts, findings };
}

/** Sums by folder, and of all. */
export function totals(counts: ReadonlyMap<string, Counts>): Map<string, Counts> {
  const sums = new Map<string, Counts>();
  for (const [file, count] of counts)
    for (const name of [file.split('/')[0]!, 'all']) {
      const sum = sums.get(name) ?? none;
      sums.set(
        name,
        Object.fromEntries(outcomes.map((each) => [each, sum[each] + count[each]])) as Record<
          Outcome,
          number
        >,
      );
    }
  // The sum of all is the last.
  const all = sums.get('all');
  sums.delete('all');
  return all === undefined ? sums : sums.set('all', all);
}

/** What became worse than expected, in sentences. */
export function worse(counts: ReadonlyMap<string, Counts>, expected: ReadonlyMap<string, Counts>): string[] {
  const said: string[] = [];
  for (const [file, was] of expected) {
    const now = counts.get(file);
    if (now === undefined) said.push(`${file} is not in the archive.`);
    else {
      const same = now.agree + now.direction;
      const before = was.agree + was.direction;
      if (now.agree < was.agree) said.push(`${file}: ${now.agree} rows agree instead of ${was.agree}.`);
      if (same < before) said.push(`${file}: ${same} rows have the same directions instead of ${before}.`);
      if (now.wrong > was.wrong) said.push(`${file}: ${now.wrong} rows are wrong instead of ${was.wrong}.`);
    }
  }
  for (const file of counts.keys()) if (!expected.has(file)) said.push(`${file} has no expected counts.`);
  return said;
}
