import { describe, expect, it } from 'vitest';
import { hotelProblems } from '#hotel/http/hotel-problems.js';
import { problems } from '#platform/http/problem.js';
import { problemSentence, setProblemTexts } from '#web/http/ask.js';
import { languageOf } from '#web/language/language.js';
import * as cardsDe from '../../web/hotel/card-messages.de.js';
import * as cardsEn from '../../web/hotel/card-messages.en.js';
import * as cardsSv from '../../web/hotel/card-messages.sv.js';
import * as stayDe from '../../web/hotel/messages.de.js';
import * as stayEn from '../../web/hotel/messages.en.js';
import * as staySv from '../../web/hotel/messages.sv.js';
import * as planDe from '../../web/hotel/room-plan/plan-messages.de.js';
import * as planEn from '../../web/hotel/room-plan/plan-messages.en.js';
import * as planSv from '../../web/hotel/room-plan/plan-messages.sv.js';
import * as staffDe from '../../web/hotel/staff-messages.de.js';
import * as staffEn from '../../web/hotel/staff-messages.en.js';
import * as staffSv from '../../web/hotel/staff-messages.sv.js';
import * as operationsDe from '../../web/operations/messages.de.js';
import * as operationsEn from '../../web/operations/messages.en.js';
import * as operationsSv from '../../web/operations/messages.sv.js';
import * as financeDe from '../../web/payment/finance-messages.de.js';
import * as financeEn from '../../web/payment/finance-messages.en.js';
import * as financeSv from '../../web/payment/finance-messages.sv.js';
import * as payDe from '../../web/payment/messages.de.js';
import * as payEn from '../../web/payment/messages.en.js';
import * as paySv from '../../web/payment/messages.sv.js';
import * as signInDe from '../../web/sign-in/sign-in-messages.de.js';
import * as signInEn from '../../web/sign-in/sign-in-messages.en.js';
import * as signInSv from '../../web/sign-in/sign-in-messages.sv.js';

/** Texts that are right in several languages: names, examples and words that the languages share. */
const shared = new Set([
  ...['Hotels', 'Hotel', 'Name', 'Status', 'r0001', 'K4W-7FM-2XR'],
  ...['Version', 'Program', 'Operation', 'Median', 'Rate', 'Navigation'],
]);

/** Each text by its path: `paymentStatus.paid`. A function counts by its path alone. */
function textsOf(table: object, path = ''): [string, string][] {
  return Object.entries(table).flatMap(([key, value]): [string, string][] => {
    if (typeof value === 'object' && value !== null) return textsOf(value, `${path}${key}.`);
    return [[path + key, typeof value === 'string' ? value : '']];
  });
}

const codes: readonly string[] = [...Object.values(problems), ...Object.values(hotelProblems)].map(
  ({ code }) => code,
);

describe.each([
  ['stay', stayEn, { sv: staySv, de: stayDe }],
  ['saved cards', cardsEn, { sv: cardsSv, de: cardsDe }],
  ['operations', operationsEn, { sv: operationsSv, de: operationsDe }],
  ['payment', payEn, { sv: paySv, de: payDe }],
  ['room plan', planEn, { sv: planSv, de: planDe }],
  ['sign-in', signInEn, { sv: signInSv, de: signInDe }],
  ['staff', staffEn, { sv: staffSv, de: staffDe }],
  ['finance', financeEn, { sv: financeSv, de: financeDe }],
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

it('problems have the same codes in Swedish and German, and each is one of the server', () => {
  const named = [staySv, stayDe, staffSv, staffDe].flatMap((table) => Object.keys(table.problems));
  expect(named.filter((code) => !codes.includes(code))).toEqual([]);
  expect(Object.keys(staffSv.problems)).toEqual(Object.keys(staffDe.problems));
  expect(Object.keys(staySv.problems)).toEqual(Object.keys(stayDe.problems));
  expect(Object.keys(staySv.problems).length).toBeGreaterThan(5);
});

describe.each([
  ['Swedish', { ...staySv.problems, ...staffSv.problems }],
  ['German', { ...stayDe.problems, ...staffDe.problems }],
])('the texts of problems at the desk in %s', (_, texts) => {
  /** Of operations that no page of the desk has: hotels, rate plans, channels, extras, and guests' own. */
  const elsewhere = new Set([
    ...['stale-version', 'idempotency-key-used', 'hotel-has-reservations', 'hotel-keeps-its-meaning'],
    ...['hotel-keeps-its-room-types', 'room-number-used', 'status-move-refused', 'unknown-base-plan'],
    ...['rate-plan-circle', 'too-many-rate-plans', 'rate-plan-in-use', 'minimum-above-maximum-stay'],
    'reservation-id-taken',
    ...['group-block-released', 'group-block-full', 'too-many-holds', 'folio-full', 'entry-id-used'],
    ...['channel-endpoint-refused', 'channel-endpoint-disabled', 'request-not-signed', 'no-channel-feed'],
    // Of every operation, but a page cannot cause them.
    ...['card-number-refused', 'method-not-allowed', 'url-too-long', 'unsupported-media-type'],
    ...['quota-exceeded', 'headers-too-large'],
  ]);

  it('are there for every refusal that staff can meet', () => {
    expect(codes.length).toBeGreaterThan(50);
    expect(codes.filter((code) => !elsewhere.has(code) && texts[code] === undefined)).toEqual([]);
  });

  it('name the nights that a problem is about', () => {
    setProblemTexts(texts);
    const problem = { code: 'insufficient-inventory', detail: 'Not enough rooms', dates: ['2026-12-18'] };
    expect(problemSentence(409, problem)).toMatch(/^(?:Inte|Nicht) .*: .*\b18\b.*\.$/);
    expect(problemSentence(409, { code: 'minimum-stay', nights: 1 })).toMatch(/ 1 (?:natt|Nacht)\b/);
    expect(problemSentence(409, { code: 'of-tomorrow', detail: 'Unheard of' })).toBe('Unheard of.');
    setProblemTexts({});
  });
});

it('a page has the first language of the browser that is translated, else English', () => {
  expect(languageOf(['fr', 'sv-SE', 'de'])).toBe('sv');
  expect(languageOf(['fr', 'pt-BR'])).toBe('en');
});
