import { expect, test } from 'vitest';
import { wordsOf } from '#geocoding/index/fold-text.js';
import { houseText, parseHouseNumber, parseHouseNumbers } from '#geocoding/index/house-number.js';

test.each([
  ['Triq Ħaż-Żebbuġ', ['triq', 'haz', 'zebbug']],
  ["L'Aquila", ['l', 'aquila']],
  ['Größe ﬁn', ['grosse', 'fin']],
  ['Åsgårdsgränd 12A', ['asgardsgrand', '12a']],
  ['Ørsted Łódź İstanbul', ['orsted', 'lodz', 'istanbul']],
  ['улица Ёлочная', ['улица', 'елочная']],
  ['\u0000<b>&amp;', ['b', 'amp']],
  ['', []],
])('%j is the words %j', (text, words) => expect(wordsOf(text)).toEqual(words));

test.each([
  ['12', '12'],
  ['12A', '12a'],
  ['12 a', '12a'],
  ['12/3', '12/3'],
  ['12-3', '12/3'],
])('%j is the number %j', (text, house) => expect(houseText(parseHouseNumber(text)!)).toBe(house));

test.each(['', 'a', 'Rose Cottage', '123456', '-1', '1;2', '12abc'])('%j is not a number', (text) =>
  expect(parseHouseNumber(text)).toBeUndefined(),
);

test('lists and ranges are several house numbers', () => {
  expect(parseHouseNumbers('6a;8, 10-14').map(houseText)).toEqual(['6a', '8', '10', '14']);
});
