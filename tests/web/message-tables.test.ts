import { describe, expect, it } from 'vitest';
import { languageOf } from '#web/language/language.js';
import * as cardsDe from '../../web/hotel/card-messages.de.js';
import * as cardsEn from '../../web/hotel/card-messages.en.js';
import * as cardsSv from '../../web/hotel/card-messages.sv.js';
import * as stayDe from '../../web/hotel/messages.de.js';
import * as stayEn from '../../web/hotel/messages.en.js';
import * as staySv from '../../web/hotel/messages.sv.js';
import * as operationsDe from '../../web/operations/messages.de.js';
import * as operationsEn from '../../web/operations/messages.en.js';
import * as operationsSv from '../../web/operations/messages.sv.js';
import * as payDe from '../../web/payment/messages.de.js';
import * as payEn from '../../web/payment/messages.en.js';
import * as paySv from '../../web/payment/messages.sv.js';

/** Texts that are right in several languages: names, examples and words that the languages share. */
const shared = new Set([
  ...['Hotels', 'Name', 'r0001'],
  ...['Version', 'Program', 'Operation', 'Median', 'Rate', 'Navigation'],
]);

/** Each text by its path: `paymentStatus.paid`. A function counts by its path alone. */
function textsOf(table: object, path = ''): [string, string][] {
  return Object.entries(table).flatMap(([key, value]): [string, string][] => {
    if (typeof value === 'object' && value !== null) return textsOf(value, `${path}${key}.`);
    return [[path + key, typeof value === 'string' ? value : '']];
  });
}

describe.each([
  ['stay', stayEn, { sv: staySv, de: stayDe }],
  ['saved cards', cardsEn, { sv: cardsSv, de: cardsDe }],
  ['operations', operationsEn, { sv: operationsSv, de: operationsDe }],
  ['payment', payEn, { sv: paySv, de: payDe }],
])('the texts of %s', (_, english, others) => {
  it.each(Object.entries(others))('are complete in %s, and none was left in English', (__, table) => {
    // In English the server describes problems itself.
    const own = (texts: object) => textsOf(texts).filter(([path]) => !path.startsWith('problems.'));
    const [here, there] = [new Map(own(english)), new Map(own(table))];
    expect([...there.keys()].toSorted()).toEqual([...here.keys()].toSorted());
    const same = [...there].filter(
      ([path, text]) => text !== '' && text === here.get(path) && !shared.has(text),
    );
    expect(same).toEqual([]);
  });
});

it('problems have the same codes in Swedish and German', () => {
  expect(Object.keys(staySv.problems)).toEqual(Object.keys(stayDe.problems));
  expect(Object.keys(staySv.problems).length).toBeGreaterThan(5);
});

it('a page of one language offers no other, whatever the browser prefers', () => {
  expect(languageOf(['sv-SE', 'en'])).toBe('sv');
  expect(languageOf(['sv-SE', 'de'], ['en'])).toBe('en');
});
