import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprintOf, parseIdempotencyKey } from '#payment/orders/idempotency-key.js';
import { orderLimits } from '#payment/settings/order-limits.js';

const longest = 'k'.repeat(orderLimits.idempotencyKeyLengthMax);

describe('the key of the header', () => {
  it.each([
    ['bare', 'a-1', 'a-1'],
    ['as a quoted string', '"a-1"', 'a-1'],
    ['between spaces', '  a-1\t', 'a-1'],
    ['quoted between spaces', ' "a-1" ', 'a-1'],
    ['of the first and the last characters allowed', '!#[]~', '!#[]~'],
    ['as long as allowed', longest, longest],
    ['quoted and as long as allowed', `"${longest}"`, longest],
  ])('%s', (_, header, key) => {
    expect(parseIdempotencyKey(header)).toBe(key);
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['of spaces', '  '],
    ['an empty quoted string', '""'],
    ['with a space in it', 'a b'],
    ['with one quote before', '"a'],
    ['with one quote after', 'a"'],
    ['with a quote in it', '"a"b"'],
    ['with a backslash', 'a\\b'],
    ['with a control character', 'a\u007f'],
    ['beyond ASCII', 'ä'],
    ['one character too long', `${longest}k`],
  ])('none: %s', (_, header) => {
    expect(parseIdempotencyKey(header)).toBeUndefined();
  });
});

describe('the fingerprint of a body', () => {
  const hex = (body: unknown): string => Buffer.from(fingerprintOf(body)).toString('hex');
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

  it('is SHA-256 of the JSON with sorted fields', () => {
    expect(hex({ b: [1, 'x', null, true], a: { d: 1, c: 2 } })).toBe(
      sha256('{"a":{"c":2,"d":1},"b":[1,"x",null,true]}'),
    );
    expect([hex(null), hex(undefined), hex([]), hex('a')]).toEqual(['null', 'null', '[]', '"a"'].map(sha256));
  });

  it('does not depend on the order of fields, nor on those without a value', () => {
    expect(hex({ a: 1, b: 2, c: undefined })).toBe(hex({ b: 2, a: 1 }));
    expect(hex([1, 2])).not.toBe(hex([2, 1]));
  });

  it('is another one for another body', () => {
    const letters = (body: unknown): string => JSON.stringify(body).split('').toSorted().join('');
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        // Bodies that differ in the order of their fields have the same letters.
        fc.pre(letters(one) !== letters(other));
        expect(hex(one)).not.toBe(hex(other));
      }),
      { seed: 3 },
    );
  });
});
