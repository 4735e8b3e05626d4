import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconciliationLimits } from '#payment/reconciliation/limits.js';
import { loadSettlement } from '#payment/reconciliation/load-settlement.js';
import type { Sql } from '#platform/sql/sql.js';
import { proves } from '#tools/acceptance/proves.js';
import { openLedgerDatabase } from './ledger-database.js';

/** A long run sets the limit of production, which is then no parameter. */
const longRun = process.env['SETTLEMENT_LINES'];
const linesMax = Number(longRun ?? 20_000);
/** Much less than a file of 5,000,000 lines, which is 475 MB. */
const grownMaxMb = 300;

let sql: Sql;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(() => dispose?.());

/** A whole file of one day, made while it is read: pieces of a thousand lines. `read` counts the lines. */
async function* settlementFile(
  id: string,
  day: string,
  lines: number,
  read: { lines: number },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  const piece = (text: string): Uint8Array => {
    const bytes = Buffer.from(text);
    hash.update(bytes);
    return bytes;
  };
  const to = `${day}T23:59:59Z`;
  yield piece(`meridian-settlement,1,${id},psp,${day}T00:00:00Z,${to},${to}\n`);
  let text = '';
  for (let line = 1; line <= lines; line++) {
    const order = `${id}-${line}`;
    text += `charge,${order},${order},ch_${line},1000,25,EUR,succeeded,${day}T10:00:00.123Z\n`;
    if (line % 1_000 !== 0 && line !== lines) continue;
    read.lines = line;
    yield piece(text);
    text = '';
  }
  yield Buffer.from(`end,${lines},${1_000 * lines},${25 * lines},${hash.digest('hex')}\n`);
}

/** Loads a file of so many lines, and says by how much the memory of the process grew meanwhile. */
async function load(id: string, day: string, lines: number) {
  const read = { lines: 0 };
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  try {
    const outcome = await loadSettlement(sql, {
      source: id,
      bytes: settlementFile(id, day, lines, read),
      now: new Date('2027-01-05T00:00:00Z'),
      ...(longRun === undefined ? { linesMax } : {}),
    });
    const grownMb = (most - before) / 1e6;
    if (longRun !== undefined) console.log(`${lines} lines: ${grownMb.toFixed(0)} MB more, ${outcome.kind}`);
    return { outcome, grownMb, read: read.lines };
  } finally {
    clearInterval(watch);
  }
}

const count = async (text: string): Promise<number> =>
  Number((await sql.query<{ n: bigint }>(`SELECT count(*) AS n FROM ${text}`)).rows[0]!.n);

test('the limit of production is 5,000,000 lines', () => {
  expect(reconciliationLimits.linesMax).toBe(5_000_000);
  if (longRun !== undefined) expect(linesMax).toBe(reconciliationLimits.linesMax);
});

proves('P-104', {
  asked: 'a file with more lines than the limit: refused completely',
  shown: '20,000 lines are stored; with one more nothing is, and the error names the limit',
  scaled: '1 : 250, because 5,000,000 lines take minutes; the long run has them',
  proof: 'settlement-lines',
});
test('P-104: one line more than the limit is refused whole, in bounded memory', async () => {
  const refused = await load('long', '2027-01-01', linesMax + 1);
  expect(refused.outcome).toEqual({
    kind: 'refused',
    reason: 'too_long',
    detail: `The settlement file is rejected (too_long): The file has more than ${linesMax} lines.`,
  });
  expect([await count('settlement_file'), await count('settlement_line')]).toEqual([0, 0]);
  expect(await count(`settlement_refusal WHERE source = 'long' AND reason = 'too_long'`)).toBe(1);
  expect(refused.grownMb).toBeLessThan(grownMaxMb);
  // A file that goes on is not read to its end.
  const endless = await load('endless', '2027-01-02', linesMax + 10_000);
  expect(endless.outcome).toMatchObject({ kind: 'refused', reason: 'too_long' });
  expect(endless.read).toBe(linesMax + 1_000);

  const whole = await load('whole', '2027-01-03', linesMax);
  expect(whole.outcome).toMatchObject({ kind: 'loaded', lines: linesMax });
  expect([await count('settlement_file'), await count('settlement_line')]).toEqual([1, linesMax]);
  expect(whole.grownMb).toBeLessThan(grownMaxMb);
}, 1_800_000);
