import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SealedTransfer, sealedText } from '#payment/ledger/sealed-text.js';
import { runs } from '../property-runs.js';

const number = fc.bigInt({ min: 0n, max: 12n });
const text = fc.string({ unit: fc.constantFrom('|', '\n', '1', 'a', 'é'), maxLength: 3 });
const transfer = (batchSequence: number): fc.Arbitrary<SealedTransfer> =>
  fc.record({
    batch_sequence: fc.constant(batchSequence),
    leg: fc.nat({ max: 12 }),
    debit_account: number,
    debit_sequence: number,
    credit_account: number,
    credit_sequence: number,
    amount: number,
    released: fc.constantFrom(0n, 0n, 1n),
    phase: fc.constantFrom('posted', 'posted', 'pending', 'void'),
    currency: fc.constantFrom('EUR', 'EUR', 'USD'),
    kind: fc.constantFrom('capture', 'refund'),
    subject: text,
    operation: text,
    resolves: fc.option(text),
    cause: fc.option(text),
    posted_us: fc.constant(7n),
  });
const batch = fc
  .nat({ max: 2 })
  .chain((last) => fc.tuple(...Array.from({ length: last + 1 }, (_, n) => transfer(n))));

test('I5: batches that differ in anything are sealed over different texts', () => {
  const key = (transfers: readonly SealedTransfer[]) =>
    JSON.stringify(transfers, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  fc.assert(
    fc.property(batch, batch, fc.nat(), (one, other, pick) => {
      // Most pairs differ only in one field, or in the border between two texts.
      const near = one.map((row, n) => {
        if (n !== pick % one.length) return row;
        const twin = other[0]!;
        const { subject, operation, cause } = row;
        return pick % 3 === 0
          ? { ...row, subject: subject + operation.slice(0, 1), operation: operation.slice(1) }
          : pick % 3 === 1
            ? { ...row, operation: operation + (cause ?? ''), cause: null }
            : { ...row, subject: twin.subject, cause: twin.cause, resolves: twin.resolves };
      });
      for (const [left, right] of [
        [one, other],
        [one, near],
      ] as const)
        if (key(left) !== key(right)) expect(sealedText(1n, left)).not.toBe(sealedText(1n, right));
    }),
    { numRuns: runs(2_000) },
  );
});

test('I5: transfers out of order, of two times or of another batch have no such text', () => {
  const [first] = fc.sample(transfer(0), { seed: 1, numRuns: 1 });
  const second = { ...first!, batch_sequence: 1 };
  expect(sealedText(1n, [first!, second])).not.toBe(sealedText(2n, [first!, second]));
  expect(sealedText(1n, [second, first!])).toBeUndefined();
  expect(sealedText(1n, [first!, { ...second, posted_us: 8n }])).toBeUndefined();
  expect(sealedText(1n, [])).toBeUndefined();
  // Its kind would be read as the lengths and the subject of another one.
  const odd = { ...first!, kind: 'capture|1011000|9', subject: 'a', operation: 'b' };
  expect(sealedText(1n, [odd])).toBeUndefined();
  expect(sealedText(1n, [{ ...first!, phase: 'posted|EUR' }])).toBeUndefined();
  expect(sealedText(1n, [{ ...first!, currency: 'EUR|0' }])).toBeUndefined();
});
