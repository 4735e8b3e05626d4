// The scenarios of the fault matrix: what tests state `from: 'outside'` of the rows F1 to F42.
import { testFileOf } from '../acceptance/test-file-of.js';

/**
 * @param {string} root
 * @param {{ areas: object, evidence: object[] }} read what `allEvidence` gives
 * @returns {{ row: string, fault: string, tests: object[] }[]} each row in order; a row without tests has no
 *   scenario yet. A test has the fields of its statement, and `runs`: the file that starts it.
 */
export function faultScenarios(root, { areas, evidence }) {
  const faults = Object.values(areas).flatMap((area) =>
    Object.values(area).flatMap((rows) => Object.entries(rows).filter(([row]) => /^F\d+$/.test(row))),
  );
  return faults
    .map(([row, fault]) => ({
      row,
      fault,
      tests: evidence
        .filter((one) => one.row === row && one.from === 'outside')
        .map((one) => ({ ...one, runs: testFileOf(root, one.file) })),
    }))
    .sort((a, b) => Number(a.row.slice(1)) - Number(b.row.slice(1)));
}

/** Whether real servers are needed, whose addresses `infra/up` prints. */
export const needsServers = ({ tests }) => tests.some(({ runs }) => runs.endsWith('.real.test.ts'));

/** Variables that `infra/up` sets. */
export const addresses = ['EVENT_LOG', 'LOCATIONS', 'CACHE', 'SQL'];

/** With them a program uses the servers. */
export const serverVariables = [...addresses, 'OBJECTS', 'SCHEMA_REGISTRY_URL'];

/** What the result of a row is one of: another test or control makes the result that of something else. */
export const definitionOfScenario = ({ tests }) => ({
  entries: [...new Set(tests.flatMap(({ runs, control }) => [runs, control?.file ?? runs]))].sort(),
  tests: tests.map(({ runs, title }) => `${runs}: ${title}`),
  controls: tests.map(({ control }) => control).filter((control) => typeof control === 'object'),
});
