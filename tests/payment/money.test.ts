import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exponentOf, parseCurrency } from '#payment/money/currency.js';
import { addMoney, formatMoney, type Money, parseMoney } from '#payment/money/money.js';
import { proves } from '#tools/acceptance/proves.js';

const read = (amount: string, currency = 'EUR'): Money => {
  const parsed = parseMoney(amount, currency);
  if (parsed.kind !== 'money') throw new Error(parsed.reason);
  return parsed.money;
};

describe('money', () => {
  proves('P-032', {
    asked: '"10", "10.00", "0.01" are accepted; 11 forms are refused; the echo is equal',
    shown: 'eight accepted; 34 refused in the test below; echo over HTTP',
    control: {
      in: 'payment/money/money.ts',
      change: "fraction.padEnd(exponent, '0')",
      to: 'fraction',
    },
  });
  test.each([
    ['10', 'EUR', 1_000n],
    ['10.00', 'EUR', 1_000n],
    ['10.5', 'EUR', 1_050n],
    ['0.01', 'EUR', 1n],
    ['9999999999999.99', 'EUR', 999_999_999_999_999n],
    ['1000', 'JPY', 1_000n],
    ['1.234', 'KWD', 1_234n],
    ['1.2345', 'CLF', 12_345n],
  ])('P-032: accepts %s %s', (amount, currency, minor) => {
    expect(read(amount, currency)).toEqual({ minor, currency });
  });

  test.each([
    10,
    10n,
    null,
    undefined,
    {},
    ['10'],
    '',
    '-1',
    '+1',
    '0',
    '0.00',
    '1e3',
    '1E3',
    '0x10',
    '1,000',
    '1.000,00',
    'NaN',
    'Infinity',
    ' 1',
    '1 ',
    '1\n',
    '１０',
    '١٠',
    '.5',
    '5.',
    '1..2',
    '1.2.3',
    '007',
    '00.10',
    '0.001',
    '10.000',
    '10000000000000.00',
    '1000000000000000',
    '9'.repeat(1_000_000),
  ])('P-032: refuses the amount %# and names the field', (amount) => {
    const parsed = parseMoney(amount, 'EUR');
    expect(parsed).toMatchObject({ kind: 'refused', field: 'amount' });
    expect(parsed.kind === 'refused' && parsed.reason.length).toBeLessThan(200);
  });

  test('P-032: the decimals are those of the currency', () => {
    expect(parseMoney('1.5', 'JPY')).toMatchObject({
      field: 'amount',
      reason: 'JPY has 0 decimals and the amount has 1.',
    });
    expect(parseMoney('1.2345', 'KWD')).toMatchObject({ field: 'amount' });
  });

  test.each(['eur', 'EU', 'EURO', 'ZZZ', '', 978, null, 'XAU', 'XXX', 'XTS', 'constructor', '__proto__'])(
    'P-034: refuses the currency %j',
    (currency) => {
      expect(parseCurrency(currency)).toBeUndefined();
      expect(parseMoney('1', currency)).toMatchObject({ kind: 'refused', field: 'currency' });
    },
  );

  test('P-033: sums are exact', () => {
    const sum = (amounts: readonly string[]) => formatMoney(amounts.map((one) => read(one)).reduce(addMoney));
    expect(sum(Array.from({ length: 1_000 }, () => '0.10'))).toBe('100.00');
    expect(addMoney(read('0.1'), read('0.2'))).toEqual(read('0.3'));
    // Written with the decimals of the currency.
    expect(sum(['0.1', '0.2'])).toBe('0.30');
    expect(() => addMoney(read('1'), read('1', 'JPY'))).toThrow('EUR and JPY cannot be added');
  });

  proves('P-033', {
    asked: 'any list of valid strings sums as big integers do',
    shown: 'random lists of up to 100 in four currencies; 1,000 × 0.10 and 0.1 + 0.2 in the test above',
    control: {
      in: 'payment/money/money.ts',
      change: 'minor: one.minor + other.minor,',
      to: 'minor: BigInt(Number(one.minor) + Number(other.minor)),',
    },
  });
  test('P-033: any list of valid strings sums exactly like big integers, in any currency', () => {
    const currency = fc.constantFrom('JPY', 'EUR', 'KWD', 'CLF');
    // Up to a sum that no double holds exactly.
    const minor = fc.bigInt({ min: 1n, max: 10n ** 15n - 1n });
    const minors = fc.array(minor, { minLength: 1, maxLength: 100, size: 'max' });
    fc.assert(
      fc.property(currency, minors, (code, values) => {
        const known = parseCurrency(code)!;
        const total = values
          .map((minor) => {
            // Written without the package's own formatter: digits and an inserted decimal point.
            const exponent = exponentOf(known);
            const digits = minor.toString().padStart(exponent + 1, '0');
            const cut = digits.length - exponent;
            return read(exponent === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`, code);
          })
          .reduce(addMoney);
        expect(total).toEqual({ minor: values.reduce((a, b) => a + b), currency: code });
      }),
    );
  });

  test('P-032: formatted amounts are read back; negative ones carry the sign', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('JPY', 'EUR', 'KWD', 'CLF'),
        fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }),
        (code, minor) => {
          const money = { minor, currency: parseCurrency(code)! };
          expect(read(formatMoney(money), code)).toEqual(money);
          expect(formatMoney({ ...money, minor: -minor })).toBe(`-${formatMoney(money)}`);
        },
      ),
    );
    expect(formatMoney({ ...read('0.01'), minor: 0n })).toBe('0.00');
  });
});
