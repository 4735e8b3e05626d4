import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCardData, textHoldsCardData } from '#platform/card-data/find-card-data.js';
import { proves } from '#tools/acceptance/proves.js';
import { type Below, cardNumber, digitsOfScripts, seeded, separators } from './card-numbers.js';

const belowOf =
  (g: fc.GeneratorValue): Below =>
  (bound) =>
    g(fc.nat, { max: bound - 1 });

/**
 * Groups of digits, in one script or a different one for each digit, with no, the same or another separator.
 */
function disguised(digits: string, below: Below): string {
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const common = ['', ' ', '-', '.', '/', '\u00a0', '\u200b', '\ufeff', '\u2013', '_', ':', ', ', '  '];
  const gapOf = () =>
    below(3) === 0 ? pick(separators) + (below(4) === 0 ? pick(separators) : '') : pick(common);
  const sizes = pick([[4], [1], [2], [4, 6, 5], [3, 5], [16], []]);
  const same = below(2) === 0 ? gapOf() : undefined;
  const script = below(2) === 0 ? pick(digitsOfScripts) : undefined;
  const ascii = below(2) === 0;
  let written = '';
  for (let at = 0, group = 0; at < digits.length; group += 1) {
    const size = sizes[group % Math.max(1, sizes.length)] ?? 1 + below(6);
    if (at > 0) written += same ?? gapOf();
    for (const digit of digits.slice(at, at + size))
      written += ascii ? digit : (script ?? pick(digitsOfScripts))[Number(digit)]!;
    at += size;
  }
  return written;
}

describe('card data is detected', () => {
  proves('P-023', {
    asked: 'a card number, however it is written',
    shown: 'digits of any script, separated by anything but letters',
    control: {
      in: 'platform/card-data/find-card-data.ts',
      change: 'if (holdsCardNumber(text)) return true;',
      to: '',
    },
  });
  it('P-023, P-110: in digits of any script, separated by anything but letters, in any field', () => {
    const around = ['', 'card ', 'Visa: ', '(', '#', 'кредитка '];
    fc.assert(
      fc.property(fc.gen(), (g) => {
        const below = belowOf(g);
        const number = disguised(cardNumber(below), below);
        const text = `${around[below(around.length)]}${number}${['', ' thanks'][below(2)]}`;
        expect([text, textHoldsCardData(text)]).toEqual([text, true]);
        expect(findCardData({ a: { 'b/c': [0, text] } })).toBe('/a/b~1c/1');
        expect(findCardData({ a: { [text]: 1 } })).toBe('/a');
      }),
      { numRuns: 5_000 },
    );
  }, 240_000);

  it('P-023: next to an expiry date and a code, or surrounded by zeros', () => {
    fc.assert(
      fc.property(fc.gen(), (g) => {
        const below = belowOf(g);
        const digits = cardNumber(below);
        const grouped = digits.replaceAll(/(\d{4})(?=\d)/g, `$1${['', ' ', '-', '.'][below(4)]}`);
        for (const text of [`${grouped} 12/28 123`, `12/28 ${grouped}`, `room 7, 2 guests; ${grouped}; 4`])
          expect([text, textHoldsCardData(text)]).toEqual([text, true]);
      }),
      { numRuns: 2_000 },
    );
    for (const text of ['42424242424242421228123', '0000004111111111111111000000', '4242424242424242123'])
      expect([text, textHoldsCardData(text)]).toEqual([text, true]);
  }, 60_000);

  it('P-023: as a JSON number, even if it has lost the last digits', () => {
    expect(findCardData({ a: 4_242_424_242_424_242 })).toBe('/a');
    expect(findCardData({ a: -378_282_246_310_005 })).toBe('/a');
    expect(findCardData(JSON.parse('{"a": 6759649826438453000}'))).toBe('/a');
    for (const none of [57.708_870_123_456_78, 45.764_043_123_456_78, 1_763_866_788_123, 0.1 + 0.2])
      expect(findCardData({ none })).toBeUndefined();
  });

  it.each([
    { cvv: '123' },
    { CVC2: 1234 },
    { 'card-cvv': ' 1 2 3' },
    { security_code: '\u0661\u0662\u0663' },
  ])('P-023: the security code in a field with its name: %j', (value) => {
    expect(findCardData({ value: [value] })).toBe(`/value/0/${Object.keys(value)[0]}`);
  });

  it.each(['CVV 123', 'his cvc: 1234', 'cvv2=123', 'cvv is 123', '\uff43\uff56\uff56 123'])(
    'P-023: the security code in a text: %s',
    (text) => {
      expect(textHoldsCardData(text)).toBe(true);
    },
  );

  it('P-023: for long texts of digits and symbols the time grows only with their length', () => {
    const n = 60_000;
    for (const long of ['1 ', '-', '7', 'a7', '2026-11-23 ', '+4', 'DE89 ', '\u00b2', 'cvv ', '30.'])
      expect(textHoldsCardData(`a${long.repeat(n / long.length)}`)).toBe(false);
  });
});

/** Set this to 1000000 for the full run. */
const ofEachKind = Number(process.env['CARD_DATA_OF_EACH_KIND'] ?? 84_000);

describe('data other than card data', () => {
  const below = seeded(20_261_123);
  const text = (alphabet: string, length: number): string => {
    let made = '';
    for (let at = 0; at < length; at += 1) made += alphabet[below(alphabet.length)];
    return made;
  };
  const hex = (length: number) => text('0123456789abcdef', length);
  const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const uuid = (version = '4') =>
    `${hex(8)}-${hex(4)}-${version}${hex(3)}-${text('89ab', 1)}${hex(3)}-${hex(12)}`;
  /** 2014 to 2038: microseconds from September 2039 on begin like a Mastercard. */
  const moment = () => new Date(1_400_000_000_000 + below(78e7) * 1_000 + below(1_000));
  const padded = (value: number, digits: number) => String(value).padStart(digits, '0');
  const one = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const digits = (from: number, to = from) => text('0123456789', from + below(to - from + 1));
  const clock = (at: Date) => at.toISOString().slice(11, 19);

  const kinds: Readonly<Record<string, () => string>> = {
    'UUIDs of version 4': () => uuid(),
    'UUIDs of version 7, without dashes, in capitals': () =>
      one([uuid('7'), uuid().replaceAll('-', ''), uuid('7').toUpperCase()]),
    ULIDs: () => `01${text(crockford, 24)}`,
    'phone numbers (E.164), bare and as people write them': () => {
      const country = one([
        '1',
        '7',
        '20',
        '33',
        '34',
        '36',
        '44',
        '46',
        '49',
        '55',
        '62',
        '86',
        '354',
        '420',
      ]);
      const rest = digits(6, 15 - country.length);
      return one([
        `+${country}${rest}`,
        `+${country} ${rest.slice(0, 3)} ${rest.slice(3)}`,
        `tel:+${country}-${rest.slice(0, 2)}-${rest.slice(2)}`,
        `+${country} (0)${rest.slice(0, 3)} ${rest.slice(3)}`,
        `(+${country}) ${rest}`,
      ]);
    },
    'national phone numbers': () =>
      one([
        () => `0${digits(7, 12)}`,
        () => `00${digits(8, 13)}`,
        () => `(${digits(3)}) ${digits(3)}-${digits(4)}`,
        () => `${digits(3)}-${digits(4)}-${digits(4)}`,
        () => `0${digits(3)}/${digits(6, 8)}-${digits(2)}`,
      ])(),
    'times as numbers': () => {
      const ms = moment().getTime();
      return one([
        String(ms),
        String(Math.trunc(ms / 1e3)),
        `${ms}${digits(3)}`,
        `${ms}${digits(6)}`,
        `${ms}.${digits(3)}`,
      ]);
    },
    'times as text': () => {
      const at = moment();
      const [year, month, day] = at.toISOString().slice(0, 10).split('-');
      return one([
        () => at.toISOString(),
        () => `${year}-${month}-${day} ${clock(at)}.${digits(6)}+${padded(below(12), 2)}:00`,
        () => `${year}-${month}-${day} ${clock(at)}.${digits(6)}+00`,
        () => `${day}.${month}.${year} ${clock(at)}`,
        () => `${month}/${day}/${year} ${clock(at)}.${digits(3)}`,
        () => `${year}${month}${day}${clock(at).replaceAll(':', '')}${digits(one([0, 3, 6, 9]))}`,
        () => `${year}-${month}-${day}/${at.toISOString().slice(0, 10)}`,
        () => at.toUTCString(),
      ])();
    },
    'ids of reservations, refunds, pay-outs and waitlists': () =>
      one([
        `demo-${uuid()}`,
        `${uuid()}-${1 + below(99)}`,
        `2026-${padded(1 + below(12), 2)}:seller-${hex(6)}:EUR`,
        `asked:${uuid()}`,
      ]),
    'ids of batches and requests': () => `${text(base64url, 12)}-${below(1e9).toString(36)}`,
    'hashes, chains and tags': () => one([hex(64), hex(40), text(base64url, 22), text(base64url, 43)]),
    'numbers of findings, decisions and versions': () => String(below(10 ** (1 + below(10)))),
    'amounts and prices': () => one([`${digits(1, 9)}.${digits(2)}`, digits(1, 12)]),
  };

  it.each(Object.entries(kinds))(
    'P-023: rejects none of a large number of %s',
    (_, make) => {
      const refused: string[] = [];
      for (let count = 0; count < ofEachKind; count += 1) {
        const made = make();
        if (textHoldsCardData(made)) refused.push(made);
      }
      expect(refused).toEqual([]);
    },
    600_000,
  );

  it.each([
    'DE89370400440532013000',
    'NL91ABNA0417164300',
    'IBAN: GB29 NWBK 6016 1331 9268 19, thanks',
    'BE68 5390 0754 7034',
    '4111111111111112',
    'We arrive on 30.11.2026 at 18:45, 3 guests, room 402 or 404.',
    'Open 08:30-12:30, 13:30-17:30',
    '+46 31 123 45 67, +46 70 765 43 21',
    'see cvv policy 2026',
    '"0-1"',
  ])('P-023: %s is not card data', (text) => {
    expect(textHoldsCardData(text)).toBe(false);
  });
});
