// The text of `docs/faults.md`.
import { cell, link, mutantText, sentence } from '../acceptance/markdown.js';
import { needsServers } from './scenarios.js';

const head = `# Fault matrix

Every row of the fault matrix with its scenario, its known-bad control and its last result. Made by
\`node tools/acceptance.js\` from the statements of the tests and from \`tests/proofs.ndjson\`.

\`npx meridian bench faults F14\` runs one row, without a row all of them: first its tests, then its control,
which must be red. A result is recorded only if the files of the row are those of the commit.

A fault is caused and measured from outside: over HTTP, WebSocket, the log, a server's own protocol or
signals. The server may run in the process of the test if nothing but its socket is used.

| state | meaning |
|---|---|
| shown | the tests passed and the control was red |
| smaller | the same, with a smaller figure than asked, or without a part that is named |
| red | the last run failed |
| not run | there is a scenario, and no result of it yet |
| no scenario | nothing shows the row from outside; tests within a process may, see [acceptance](acceptance.md) |
`;

/** @returns {'shown' | 'smaller' | 'red' | 'not run' | 'no scenario'} */
export function stateOf({ tests }, result) {
  if (tests.length === 0) return 'no scenario';
  if (result === undefined) return 'not run';
  if (result.outcome !== 'passed') return 'red';
  return tests.some(({ scaled, missing }) => scaled !== undefined || missing !== undefined)
    ? 'smaller'
    : 'shown';
}

function controlText({ control }) {
  if (typeof control !== 'object') return '';
  const text = control.test === undefined ? mutantText(control) : `the test \`${control.test}\``;
  return ` Control: ${text}.`;
}

function testText(test) {
  const { shown, scaled, missing, runs } = test;
  const parts = [sentence(shown)];
  if (scaled !== undefined) parts.push(`Smaller: ${sentence(scaled)}`);
  if (missing !== undefined) parts.push(`Missing: ${sentence(missing)}`);
  return `${cell(`${parts.join(' ')}${controlText(test)}`)} ${link(runs)}`;
}

function resultText(result) {
  if (result === undefined) return '';
  const { outcome, date, commit, seconds, figures } = result;
  const { tests, failed, red, green } = figures;
  const said = `${tests} passed, ${failed} failed; controls: ${red} red, ${green} green`;
  return `${outcome} on ${date.slice(0, 10)} at ${commit.slice(0, 10)} in ${seconds} s: ${said}`;
}

/**
 * @param {{ row: string, fault: string, tests: object[] }[]} scenarios
 * @param {Map<string, object>} results
 */
export function renderReport(scenarios, results) {
  const states = scenarios.map((one) => stateOf(one, results.get(one.row)));
  const count = (state) => states.filter((one) => one === state).length;
  const good = count('shown') + count('smaller');
  const rows = scenarios.map((one, i) => {
    const what = one.tests.map(testText).join('<br>');
    const servers = needsServers(one) ? ' Needs `infra/up`.' : '';
    const result = resultText(results.get(one.row));
    return `| ${one.row} | ${cell(one.fault)} | ${states[i]} | ${what}${servers} | ${result} |`;
  });
  return `${[
    head,
    `${good} of ${scenarios.length} rows are shown from outside with a red control; ${count('smaller')} of them`,
    'with a smaller figure or without a part.',
    '',
    '| row | fault | state | scenario and control | last result |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')}\n`;
}
