// Puts small faults into modules, one at a time, and asks the tests whether they notice.
//
// `npm run mutants` judges the modules that money, rooms, routes and closures rest on, if they or their tests
// have changed since they were judged; `npm run mutants -- place-transfers risk` those whose path or area
// holds one of the words. `tests/mutants.ndjson` keeps the results. Exit code 1 if the tests of an area
// notice less than the least share.
//
// `npm run mutants -- --sample 200 --seed 1 --state FILE` draws mutants from all packages and says how many
// the selection of `npm test` kills, how many only the full one, and which survive. With `--before FOLDER`,
// a checkout of an earlier commit, it draws statements that both have, and exit code 1 says that a
// mutant was killed there and survives here. FILE keeps the sample and the verdicts: the same command goes
// on after a stop. Build both checkouts before: programs and threads run compiled files.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { evaluateSample } from './mutants/evaluate-sample.js';
import { evaluateTargets } from './mutants/evaluate-targets.js';
import { areas } from './mutants/targets.js';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.on(signal, () => process.exit(code));

const { values, positionals: words } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    state: { type: 'string' },
    before: { type: 'string' },
  },
  allowPositionals: true,
});
const count = values.sample === undefined ? undefined : Number(values.sample);
const named = (text) => words.some((word) => text.includes(word));
const chosen = ([file], judged, area) => (words.length === 0 ? !judged : named(file) || named(area));
const some = Object.entries(areas).some(([area, targets]) =>
  targets.some((target) => chosen(target, false, area)),
);
const whole = (number) => Number.isInteger(number) && number > 0;
if (!some || (count !== undefined && !(whole(count) && values.state))) {
  console.error(
    `usage: npm run mutants -- [WORD…]
       npm run mutants -- --sample N --state FILE [--seed TEXT] [--before FOLDER]
N is a whole number above 0. Areas and modules: ` +
      Object.entries(areas)
        .map(([area, targets]) => `${area} (${targets.map(([file]) => file).join(', ')})`)
        .join(', '),
  );
  process.exit(2);
}

const good =
  count === undefined
    ? await evaluateTargets(root, areas, chosen)
    : await evaluateSample(root, {
        count,
        seed: values.seed,
        stateFile: values.state,
        before: values.before,
      });
process.exit(good ? 0 : 1);
