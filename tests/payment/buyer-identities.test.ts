import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buyerIdentities, type NamedBuyer } from '#payment/risk/buyer-identities.js';

const sha256 = (kind: string, text: string): string =>
  createHash('sha256').update(`${kind}\n${text}`).digest('hex');
const account = sha256('account', 'shop\nada');

/** Of a buyer at a shop: all but the account, by what they stand for. */
function others(
  buyerInfo: object,
  cardInfo: object = {},
  named: Partial<NamedBuyer> = {},
): readonly string[] {
  const [first, ...rest] = buyerIdentities({
    ...{ caller: 'shop', buyerAccount: 'ada' },
    ...{ buyerInfo: JSON.stringify(buyerInfo), cardInfo: JSON.stringify(cardInfo) },
    ...named,
  });
  expect(first).toBe(account);
  return rest;
}

describe('the names by which a buyer is recognized', () => {
  it('the account counts within its service, however it is spaced', () => {
    expect(others({})).toEqual([]);
    expect(others({}, {}, { buyerAccount: 'ada' })).toEqual([]);
    const spaced = buyerIdentities({
      ...{ caller: 'shop', buyerAccount: '  a \n da ', buyerInfo: '{}', cardInfo: '{}' },
    });
    expect(spaced).toEqual([sha256('account', 'shop\na da')]);
  });

  it('of a customer without a service only the subject of the token', () => {
    const facts = { buyerInfo: '{"email":"a@b.invalid"}', cardInfo: '{"fingerprint":"f"}' };
    expect(buyerIdentities({ caller: 'ada', buyerAccount: 'ada', ...facts })).toEqual([
      sha256('account', 'ada\nada'),
    ]);
  });

  it('card, e-mail and address, in this order', () => {
    expect(others({ email: ' A@B.invalid ', address: '5, Main St.' }, { fingerprint: ' Xt5 ' })).toEqual([
      sha256('card', 'Xt5'),
      sha256('email', 'a@b.invalid'),
      sha256('address', '5 main st'),
    ]);
  });

  it.each([
    ['a string without a number', 'Main Street, Göteborg', undefined],
    ['a string with a number', ' 5, MAIN St. – Göteborg ', '5 main st göteborg'],
    ['compatible characters', '５ Ｍａｉｎ', '5 main'],
    ['no text', 5, undefined],
    ['null', null, undefined],
    ['an object without line1', { city: 'Oslo', postal_code: '0150' }, undefined],
    ['line1 without a letter', { line1: ' - ', city: 'Oslo' }, undefined],
    ['line1 that is no text', { line1: 5, city: 'Oslo' }, undefined],
    ['fields in any order', { line1: '7 Main St', city: 'Oslo' }, 'oslo 7 main st'],
    ['the other order', { city: 'OSLO', line1: '7 main st.' }, 'oslo 7 main st'],
    ['fields within fields', { line1: '7 A', area: { zip: '1', city: 'B' } }, 'b 1 7 a'],
    ['a field without a value', { line1: '7 A', city: null }, '7 a'],
  ])('address: %s', (_, address, text) => {
    expect(others({ address })).toEqual(text === undefined ? [] : [sha256('address', text)]);
  });

  it.each([
    ['e-mail that is no text', { email: 5 }, {}],
    ['empty e-mail', { email: ' ' }, {}],
    ['fingerprint that is no text', {}, { fingerprint: 5 }],
    ['empty fingerprint', {}, { fingerprint: ' ' }],
  ])('%s is no name', (_, buyerInfo, cardInfo) => {
    expect(others(buyerInfo, cardInfo)).toEqual([]);
  });

  it.each(['null', '5', '"text"'])('infos that are %s name nobody', (json) => {
    expect(others({}, {}, { buyerInfo: json, cardInfo: json })).toEqual([]);
  });
});
