// The text of `docs/acceptance.md`.

import { isMutant } from './control-results.js';
import { cell, link, mutantText, sentence } from './markdown.js';
import { rowState, states } from './row-state.js';

function controlOf(one, controlled) {
  const { control } = one;
  if (typeof control === 'string') return `Red when: ${sentence(control)}`;
  if (control.test !== undefined)
    return `Red when: the test \`${control.test}\` lets the check judge a build that is known to be bad.`;
  const result = controlled(one);
  const last = result === undefined ? 'not yet for the code of now' : `on ${whenOf(result)}`;
  return `Red when: ${mutantText(control)} (\`npm run controls\`, ${last}).`;
}

const whenOf = ({ date, commit }) => `${date.slice(0, 10)} at ${commit.slice(0, 10)}`;

function evidenceText(one, where, controlled) {
  const parts = [`Asked: ${sentence(one.asked)} Shown: ${sentence(one.shown)}`];
  if (one.scaled !== undefined) parts.push(`Smaller: ${sentence(one.scaled)}`);
  if (one.missing !== undefined) parts.push(`Missing: ${sentence(one.missing)}`);
  if (one.settings !== undefined) parts.push(`Settings: ${sentence(one.settings.join(', '))}`);
  if (one.control !== undefined) parts.push(controlOf(one, controlled));
  if (one.proof !== undefined) parts.push(`Whole: \`npm run prove ${one.proof}\`.`);
  return `${cell(parts.join(' '))} ${link(one.file)} (${where(one.file).join(', ')})`;
}

/**
 * @param result newest of the proof, or nothing
 * @param {string} state `expired` when its files have changed since
 */
function resultText(result, state) {
  if (result === undefined) return 'has not run yet';
  const { seconds, figures } = result;
  const outcome = state === 'expired' ? `expired, ${result.outcome}` : result.outcome;
  const minutes = seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
  return `${outcome} on ${whenOf(result)} in ${minutes}: ${cell(JSON.stringify(figures))}`;
}

const head = `# Acceptance

Every row of the acceptance tables, and the faults (\`F1\`…), with what a test or a bench shows of it. Made by
\`node tools/acceptance.js\` from the statements \`proves(row, { … })\` that stand above the tests.

| state | meaning |
|---|---|
| proven | the figure or the demand of the row is reached as it is asked, for some by a valid long run |
| scaled down | the same is shown with a smaller figure; the factor and the reason stand beside it |
| partial | a part of the row is shown by no test; it is named |
| named only | a test names the row in its title; nobody has stated what it shows of it |
| not yet | no test names it |

A control is a change that must turn the test red, or a known-bad build within the test.

Tests that share a set-up share its settings, which stand there: short delays of payments in
[orders-fixture](../tests/payment/orders-fixture.ts) (\`quick\`); high limits for a user and a turn in
[served-hotels](../tests/hotel/served-hotels.ts), [booking-fixture](../tests/booking/booking-fixture.ts) and
[ingest-fixture](../tests/ingest/ingest-fixture.ts); no flush to the disk (\`fsync = off\`) in the database of
[shared-postgres](../tests/shared-postgres.ts), but not where something is killed. A row names those that bear
on it.
`;

function count(list) {
  const of = (state) => list.filter((one) => one.state === state).length;
  return `| ${states.map(of).join(' | ')} | ${list.length} |`;
}

/**
 * @param {{ areas: object, evidence: object[], names: Map<string, Set<string>>, proofs: object[],
 *   results: Map<string, object>, stateOf: (proof: string) => string,
 *   controlled: (evidence: object) => object | undefined, where: (file: string) => string[],
 *   mutants: string[] }} input
 */
export function renderPage({ areas, evidence, names, proofs, results, stateOf, controlled, where, mutants }) {
  const passed = (proof) => stateOf(proof) === 'valid';
  const of = (row) => evidence.filter((one) => one.row === row);
  const summary = [`| | ${states.join(' | ')} | rows |`, `|---|${'---|'.repeat(states.length + 1)}`];
  const sections = [];
  for (const [area, entries] of Object.entries(areas)) {
    const inArea = [];
    sections.push(`## ${area}`, '');
    for (const [section, rows] of Object.entries(entries)) {
      sections.push(`### ${section}`, '', '| row | what | state | evidence |', '|---|---|---|---|');
      for (const [row, title] of Object.entries(rows)) {
        const own = of(row);
        const state = rowState(own, names.get(row)?.size ?? 0, passed);
        inArea.push({ row, state });
        const shown = new Set(own.map(({ file }) => file));
        const others = [...(names.get(row) ?? [])].filter((file) => !shown.has(file)).sort();
        const texts = own.map((one) => evidenceText(one, where, controlled));
        const runs = proofs.filter((proof) => proof.rows.includes(row)).map(({ name }) => `\`${name}\``);
        if (runs.length > 0) texts.push(`Long runs: ${runs.join(', ')}`);
        if (others.length > 0)
          texts.push(`${own.length > 0 ? 'Also named' : 'Named'} by ${others.map(link).join(', ')}`);
        sections.push(`| ${row} | ${cell(title)} | ${state} | ${texts.join('<br>')} |`);
      }
      sections.push('');
    }
    summary.push(`| ${area} ${count(inArea)}`);
  }
  const runs = proofs.map(
    (proof) =>
      `| ${proof.name} | ${proof.rows.join(', ')} | ${cell(proof.shows)} ` +
      `| ${resultText(results.get(proof.name), stateOf(proof.name))} |`,
  );
  const controls = new Set(evidence.filter(({ control }) => control !== undefined).map(({ row }) => row));
  const controlMutants = evidence.filter(isMutant);
  const made = new Set(controlMutants.map(({ row }) => row));
  const red = controlMutants.filter((one) => controlled(one) !== undefined);
  return `${[
    head,
    ...summary,
    '',
    `${controls.size} rows have a control; those of ${made.size} are mutants that \`npm run controls\` makes.`,
    `${red.length} of ${controlMutants.length} mutants have turned their test red since the test, or the file that they`,
    'change, has changed.',
    '',
    ...sections,
    ...mutants,
    '## Long runs',
    '',
    '`npm run prove` runs what is too long for CI; `npm run prove -- --list` says which results have expired.',
    '',
    '| run | rows | shows | last result |',
    '|---|---|---|---|',
    ...runs,
  ].join('\n')}\n`;
}
