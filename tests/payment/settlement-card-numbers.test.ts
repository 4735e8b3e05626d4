import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSettlementFile, SettlementRefused } from '#payment/reconciliation/read-settlement-file.js';
import { proves } from '#tools/acceptance/proves.js';
import { fileOf, lineOf } from './settlement-order.js';

const number = '4242424242424242';
const day = new Date('2026-11-20T00:00:00Z');

/** What is refused, or nothing; `stored` counts the lines that were given on before that. */
async function read(bytes: Uint8Array): Promise<{ readonly detail: string; readonly stored: number }> {
  let stored = 0;
  let detail = '';
  async function* pieces() {
    yield bytes;
  }
  const sink = {
    onHeader: async () => undefined,
    onLines: async (rows: readonly string[]) => {
      stored += rows.length;
    },
  };
  await readSettlementFile(pieces(), sink).catch((error: unknown) => {
    if (!(error instanceof SettlementRefused)) throw error;
    detail = error.message;
  });
  return { detail, stored };
}

const charge = (order: string, reference: string, minor = 1_000, fee = 25): string =>
  lineOf(order, minor, day, { reference, fee });
const good = charge('order-1', 'ch_000001');
const refused = (where: string) => ({
  detail: `The settlement file is rejected (card_number): ${where} seems to be or to contain a card number.`,
  stored: 0,
});

proves('P-023', {
  asked: 'a canary number sent through every route is found nowhere',
  shown: 'a settlement file with it in any of eight columns is refused whole, before a line is stored',
  missing: 'one number among ids of the provider with the same form, and amounts below 15 digits',
  control: {
    in: 'payment/reconciliation/read-settlement-file.ts',
    change: 'if (found !== undefined) throw holdsCard(',
    to: 'if (found !== undefined && found.line < 0) throw holdsCard(',
  },
});
it.each([
  ['payment_order_id of line 2', [good, charge(number, 'ch_000002')]],
  ['operation_id of line 1', [lineOf('order-1', 400, day, { refund: number })]],
  ['psp_reference of line 3', [good, good, charge('order-3', number)]],
  ['psp_reference of line 1', [charge('order-1', `ch_${number}`)]],
  ['psp_reference of line 1', [charge('order-1', '4242-4242-4242-4242')]],
  ['psp_reference of line 1', [charge('order-1', `${number}-12-30-123`)]],
  ['psp_reference of line 1', [charge('order-1', '%D9%A4%D9%A2'.repeat(8))]],
  ['payout_id of line 2', [good, `${good},${number}`]],
  ['amount of line 1', [charge('order-1', 'p', 378_282_246_310_005)]],
  ['fee of line 1', [charge('order-1', 'p', 1, 378_282_246_310_005)]],
  // Two cards, and two ids that are none.
  [
    'psp_reference of line 1',
    [number, '5555555555554444', '4242424242424241', '4242424242424243'].map((one) => charge('o', one)),
  ],
])('P-023: a card number in the %s is refused', async (where, lines) => {
  expect(await read(fileOf('f', day, lines))).toEqual(refused(`The ${where}`));
});

it('P-023: a card number in the header is refused, and in a damaged file no error repeats it', async () => {
  expect(await read(fileOf(number, day, [good]))).toEqual(refused('The file_id of the header'));
  expect(await read(fileOf('f', day, [good], number))).toEqual(refused('The provider of the header'));
  const file = fileOf('f', day, [good]).toString();
  for (const damaged of [
    file.replace('end,1,', `end,${number},`),
    file.replace('end,1,1000', `end,1,${number}`),
    file.replace('end,1,1000,25', `end,1,1000,${number}`),
    file.replace(/[0-9a-f]{64}/, number),
    file.replace('charge,', `${number},`),
    file.replace(',EUR,', `,${number},`),
    file.replace(',1000,25', `,${number},25`),
  ]) {
    const { detail } = await read(Buffer.from(damaged));
    expect(detail).toContain('rejected');
    expect(detail).not.toContain('4242');
  }
});

/** Numbers of 16 digits, each as likely as another. */
function randomDigits(seed: string): string {
  const hash = createHash('sha256').update(seed).digest();
  return ((hash.readBigUInt64BE() % 9_000_000_000_000_000n) + 1_000_000_000_000_000n).toString();
}

/** Ids as providers write them, by the number of the line. */
const styles: Readonly<Record<string, (line: number, seed: string) => string>> = {
  uuid: () => randomUUID(),
  'uuid of a Stripe charge': () => `ch_${randomUUID().replaceAll('-', '')}`,
  'base 64': (line, seed) =>
    createHash('sha256')
      .update(`${seed} ${line}`)
      .digest('base64url')
      .slice(0, 24)
      .replaceAll(/[^A-Za-z0-9]/g, 'x'),
  'random number': (line, seed) => randomDigits(`${seed} ${line}`),
  'number after a word': (line, seed) => `txn-${randomDigits(`${seed} ${line}`)}`,
  'number in a row, like cards': (line) => String(4_000_001_234_000_000 + line),
  'time and number': (line) => `20261120101500${String(line).padStart(4, '0')}`,
};

proves('P-023', {
  asked: 'a canary number is found nowhere',
  shown: 'of 1,400 files whose ids are no cards, in seven styles, 50 lines each, none is refused',
  control: {
    in: 'payment/reconciliation/card-numbers.ts',
    change: "if (digits === '') return isCard;",
    to: "if (digits !== '---') return isCard;",
  },
});
it.each(Object.keys(styles))('P-023, P-104: files whose ids are a %s are accepted', async (style) => {
  for (let file = 0; file < 200; file += 1) {
    const lines = Array.from({ length: 50 }, (_, line) => {
      const id = styles[style]!(line, `${style} ${file}`);
      return charge(`order-${file}-${line}`, id, 1_000 + line);
    });
    const { detail, stored } = await read(fileOf(`f-${file}`, day, lines));
    expect([style, file, detail, stored]).toEqual([style, file, '', 50]);
  }
});

it('P-023, P-104: none of the fixtures is refused as a card number', async () => {
  const folder = join(import.meta.dirname, 'fixtures/settlement');
  const files = await readdir(folder);
  expect(files.length).toBeGreaterThan(5);
  for (const name of files)
    expect([name, (await read(await readFile(join(folder, name)))).detail]).toEqual([
      name,
      expect.not.stringContaining('card_number'),
    ]);
});
