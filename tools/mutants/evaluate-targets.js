import { sqlMutantsOf } from './sql-mutants.js';
import { openTestRuns } from './test-runs.js';
import { mutantsOf } from './typescript-mutants.js';

const leastShare = 0.8;
/** A mutant that loops is stopped; the tests of a module take a second or two. */
const mutantCpuMsMax = 20_000;
const sqlMutantCpuMsMax = 120_000;

/** The rule of the inventory and the transitions of a reservation are SQL, tested on a database. */
const inventoryTests = [
  'tests/hotel/reserve-one.test.ts',
  'tests/hotel/reservations.test.ts',
  'tests/hotel/inventory-guards.test.ts',
  'tests/hotel/rates.test.ts',
  'tests/hotel/restrictions.test.ts',
  'tests/hotel/change-stay.test.ts',
  'tests/hotel/reservations-stays.test.ts',
  'tests/hotel/inventory-job.test.ts',
];
const sqlFrom = (name) => ({ sql: name });

/** Modules with the tests that check them, and where the rule begins. */
export const targets = [
  ['payment/money/money.ts', ['tests/payment/money.test.ts']],
  ['payment/money/currency.ts', ['tests/payment/money.test.ts']],
  ['payment/ledger/place-transfers.ts', ['tests/payment/place-transfers.test.ts']],
  ['payment/settings/settings/retry-policy.ts', ['tests/payment/orders.test.ts']],
  ['payment/orders/code-actions.ts', ['tests/payment/orders.test.ts']],
  ['payment/orders/apply-payment.ts', ['tests/payment/apply-payment.test.ts'], 'changesBy'],
  ['hotel/schema/selling-rules.ts', inventoryTests, sqlFrom('rooms_sold_at_most')],
  ['hotel/schema/reservations.ts', inventoryTests, sqlFrom('reservation_status_move')],
  ['hotel/schema/rate-plans.ts', inventoryTests, sqlFrom('night_prices')],
  ['hotel/schema/change-counts.ts', inventoryTests, sqlFrom('change_counts')],
  ['hotel/schema/reserve-one-by-plan.ts', inventoryTests, sqlFrom('reserve_one')],
];

/**
 * Every `every`th mutant of the chosen targets; prints what survived.
 *
 * @returns {Promise<boolean>} whether the tests noticed enough
 */
export async function evaluateTargets(root, chosen, every) {
  const runs = await openTestRuns(root);
  let all = 0;
  let noticed = 0;
  for (const [file, tests, from] of chosen) {
    const ofSql = typeof from === 'object';
    const cpuMsMax = ofSql ? sqlMutantCpuMsMax : mutantCpuMsMax;
    const broken = await runs.failures(tests, undefined, tests.length * sqlMutantCpuMsMax);
    if (broken?.length !== 0)
      throw new Error(`The tests of ${file} fail without a mutant: ${broken?.join('; ') ?? 'too slow'}`);
    const survivors = [];
    let [born, stopped] = [0, 0];
    const mutants = ofSql ? sqlMutantsOf(file, from.sql) : mutantsOf(file, from);
    for (const mutant of mutants.filter((_, index) => index % every === 0)) {
      // A file at a time: most mutants are noticed by the first, and a database takes seconds to start.
      let verdict = 'survived';
      for (const test of tests)
        if (verdict === 'survived') verdict = await runs.judge([test], mutant, cpuMsMax);
      if (verdict === 'unborn') continue;
      born += 1;
      if (verdict === 'survived') survivors.push(mutant);
      if (verdict === 'stopped') stopped += 1;
    }
    all += born;
    noticed += born - survivors.length;
    const share = ((1 - survivors.length / born) * 100).toFixed(1);
    const timedOut = stopped === 0 ? '' : `; ${stopped} of these did not end and were stopped`;
    console.log(`${file}: ${born - survivors.length} of ${born} noticed, ${share} %${timedOut}`);
    for (const { line, was, to } of survivors) console.log(`  line ${line}: ${was} → ${to}`);
  }
  console.log(`${noticed} of ${all} mutants noticed, ${((noticed / all) * 100).toFixed(1)} %`);
  await runs.close();
  return noticed / all >= leastShare;
}
