import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { paymentSettings } from '#platform/config/payment-settings.js';
import type { Setting } from '#platform/config/setting.js';
import { settings } from '#platform/config/settings.js';
import { proves } from '#tools/acceptance/proves.js';
import { isLimit } from './payment-settings-read-back.js';

const root = new URL('../../', import.meta.url);
const manual = readFileSync(new URL('payment/README.md', root), 'utf8');

/** The rows of the table with these titles, each as its cells. */
function rowsOf(titles: string): readonly (readonly string[])[] {
  const [, after = ''] = manual.split(`${titles}\n`);
  const table = after.slice(0, after.indexOf('\n\n')).split('\n').slice(1);
  return table.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function boundsOf(schema: Setting['schema']): string {
  const { minimum, maximum, anyOf } = schema as unknown as {
    readonly minimum?: number;
    readonly maximum?: number;
    readonly anyOf?: readonly { readonly const: string }[];
  };
  if (anyOf !== undefined) return anyOf.map((one) => one.const).join(', ');
  if (maximum !== undefined) return `${minimum} to ${maximum}`;
  return 'type' in schema && schema.type === 'boolean' ? 'true, false' : 'a list';
}

proves('P-130', {
  asked: 'documented defaults',
  shown:
    'payment/README.md: name, default, bounds, meaning of 96, and of 2 of every listener; all constants, too',
  control: {
    in: 'payment/README.md',
    change: '| `PAYMENT_LEASE_MS` | 15000 |',
    to: '| `PAYMENT_LEASE_MS` | 10000 |',
  },
});
it('P-130: payment/README.md has each setting with its default, bounds and meaning', () => {
  const writtenOf = (names: readonly string[]) =>
    names.map((name) => {
      const { schema, fallback, doc } = (settings as Readonly<Record<string, Setting>>)[name]!;
      return [`\`${name}\``, fallback === '' ? 'none' : fallback, boundsOf(schema), doc];
    });
  const own = Object.keys(paymentSettings).filter(isLimit);
  // The number is in the statements of this row.
  expect(own).toHaveLength(96);
  expect(rowsOf('| setting | default | bounds | meaning |')).toEqual(writtenOf(own));
  const ofAll = ['RATE_PER_USER', 'RATE_PER_ADDRESS'];
  expect(rowsOf('| setting of every listener | default | bounds | meaning |')).toEqual(writtenOf(ofAll));
});

it('P-130: each constant of payments that is no setting is named there, with the reason', async () => {
  const rows = rowsOf('| constants | in | why they stay |');
  for (const [names, file, reason] of rows) {
    const text = readFileSync(new URL(`payment/${file!.replaceAll('`', '')}`, root), 'utf8');
    for (const name of namesIn(names!)) expect(text, file).toMatch(new RegExp(`\\b${name}\\b`));
    expect(reason!.length, file).toBeGreaterThan(20);
  }
  const namedIn = (file: string) =>
    rows.filter(([, where]) => where === `\`${file}\``).flatMap(([names]) => namesIn(names!));
  const files = readdirSync(new URL('payment/', root), { encoding: 'utf8', recursive: true });
  for (const file of files.filter((each) => /(?<!merchant-)limits\.ts$/.test(each))) {
    const exported = (await import(new URL(`payment/${file}`, root).href)) as Record<string, object>;
    const keys = Object.values(exported).flatMap((each) => Object.keys(each));
    expect(namedIn(file).toSorted(), file).toEqual(keys.toSorted());
  }
  // Others are beside the only code that uses them. A unit is no choice.
  for (const file of files.filter((each) => each.endsWith('.ts'))) {
    const text = readFileSync(new URL(`payment/${file}`, root), 'utf8');
    const found = [...text.matchAll(/^(?:export )?const (\w+(?:Ms|S|Max|Min|Rows)) = \d/gm)]
      .map(([, name]) => name!)
      .filter((name) => !['minuteMs', 'hourMs', 'dayMs'].includes(name));
    expect(namedIn(file), file).toEqual(expect.arrayContaining(found));
  }
});

const namesIn = (cell: string): readonly string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
