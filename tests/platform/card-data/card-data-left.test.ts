import { describe, expect, it } from 'vitest';
import { textHoldsCardData } from '#platform/card-data/find-card-data.js';
import { holdsCardData } from '../../card-data-left.js';

const card = '4242424242424242';
/** Random ids that have the digits of a card number, as a search of 300,000 found them. */
const unlucky = ['reg_5563874831320322847848297564d669', 'pay_a42340057417028147440089'];

describe('the search for card data that tests left', () => {
  it.each(unlucky)('knows %s as a random id, alone, in addresses and in JSON', (id) => {
    expect(textHoldsCardData(id)).toBe(true);
    for (const value of [
      id,
      `https://127.0.0.1:12345/pay/${id}`,
      `https://127.0.0.1:12345/challenge/${id}?from=2`,
      `http://shop.example/done?tokenID=${id}&payResult=succeeded`,
      JSON.stringify({ page_url: `https://127.0.0.1:1/card/${id}`, token: id }),
    ])
      expect(holdsCardData(value), value).toBe(false);
  });

  it.each([
    ['beside an id', `${unlucky[0]} ${card}`],
    ['in the address of a page', `https://127.0.0.1:12345/pay/${unlucky[0]}?card=${card}`],
    ['in JSON beside an id', JSON.stringify({ token: unlucky[0], note: card })],
    ['with a prefix', `card_${card}`],
    ['of 24 digits', `card_${card}12301234`],
    ['of 32 digits', `card_${card}${'0'.repeat(16)}`],
    ['in an id that is too long', `reg_${card}${'0'.repeat(16)}a`],
    ['in an id that is too short', `reg_a${card}`],
    ['behind an id without a border', `${unlucky[1]}g${card}`],
    ['after letters that are no prefix', `REG_a${card}${'0'.repeat(15)}`],
    ['in groups', 'pay_4242 4242 4242 4242'],
  ])('finds a card number %s', (_, value) => {
    expect(holdsCardData(value)).toBe(true);
  });
});
