/** A page that shows what it loads, and what each of its states says. */
export interface LoadedPage {
  /** As the table of states names it. */
  readonly page: string;
  readonly of: 'guest' | 'buyer' | 'desk' | 'finance';
  /** Behind `#/`; `{hotel}`, `{room}`, `{stay}` and `{order}` are those of the test. */
  readonly address: string;
  /** The request that it awaits: its method is GET, its path and query match. */
  readonly asks: RegExp;
  /** A selector of what is there when everything is loaded. */
  readonly shows: string;
  /** The lists of the answer that are emptied, and what the page says then; or why there is no such state. */
  readonly empty: { readonly without: readonly string[]; readonly says: RegExp } | string;
  /** It asks again by itself: without a button. */
  readonly polls?: true;
  /** What somebody without access reads; or why everybody has it. */
  readonly denied: { readonly says: RegExp } | string;
}

const open = 'open to all';
const desk = { says: /^Your account has no access to the staff desk\. Ask for the scope “desk”\.$/ };
const others = { says: /scope/ };
const one = 'one thing, or none: an address that is wrong';

/** Each loads by `useLoaded` or by a poll, and has the same states in its own words. */
export const loadedPages: readonly LoadedPage[] = [
  {
    ...{ page: 'hotels', of: 'guest', address: 'hotels', asks: /\/v1\/hotel-places\?/, shows: '.tile' },
    ...{ empty: { without: ['hotels'], says: /^No hotels match this name\.$/ }, denied: open },
  },
  {
    ...{ page: 'a hotel', of: 'guest', address: 'hotels/{hotel}', asks: /\/v1\/hotels\/[^/]+$/ },
    ...{ shows: '.room-types .room-type', denied: open },
    empty: { without: ['roomTypes'], says: /^This hotel offers no rooms yet\.$/ },
  },
  {
    ...{ page: 'a room', of: 'guest', address: 'hotels/{hotel}/rooms/{room}' },
    ...{ asks: /\/rooms\/[^/]+$/, shows: '.room-types .room-type', empty: one, denied: open },
  },
  {
    ...{ page: 'my reservations', of: 'guest', address: 'reservations', asks: /\/v1\/reservations\?/ },
    ...{ shows: '.reservations .card', denied: others },
    empty: { without: ['reservations'], says: /^You have no reservations yet\. Find a hotel$/ },
  },
  {
    ...{ page: 'the payment of a stay', of: 'guest', address: 'pay/{stay}', asks: /\/payment$/ },
    ...{ shows: '.pay .headline', polls: true, empty: one, denied: others },
  },
  {
    ...{ page: 'saved cards', of: 'guest', address: 'cards', asks: /\/v1\/saved-cards\?/ },
    ...{ shows: 'text=You have no saved cards.', denied: others },
    empty: { without: ['cards'], says: /^You have no saved cards\./ },
  },
  {
    ...{ page: 'payments of a checkout', of: 'buyer', address: 'status', asks: /\/v1\/payments\/[^/]+$/ },
    ...{ shows: '.pay-order', polls: true, empty: one, denied: others },
  },
  {
    ...{ page: 'today', of: 'desk', address: 'today', asks: /\/today\?/, shows: 'h3', denied: desk },
    empty: { without: ['stays'], says: /^Nobody is expected who has not checked in\.$/ },
  },
  {
    ...{ page: 'the hotels of the desk', of: 'desk', address: 'calendar', asks: /\/v1\/staff\/hotels\?/ },
    ...{ shows: '.nights-fit', denied: desk },
    empty: { without: ['hotels'], says: /^There is no hotel yet\./ },
  },
  {
    ...{ page: 'room plan', of: 'desk', address: 'plan', asks: /\/room-plan\?/, shows: '.plan-how' },
    ...{ empty: 'a hotel has rooms; a night without stays is an empty cell', denied: desk },
  },
  {
    ...{ page: 'calendar', of: 'desk', address: 'calendar', asks: /\/calendar\?/, shows: '.nights-fit' },
    ...{ empty: { without: ['days'], says: /^No inventory for these dates yet\.$/ }, denied: desk },
  },
  {
    ...{ page: 'a reservation', of: 'desk', address: 'reservations/{stay}' },
    ...{ asks: /\/v1\/staff\/reservations\/[^/]+$/, shows: 'main .status', empty: one, denied: desk },
  },
  {
    ...{ page: 'housekeeping', of: 'desk', address: 'housekeeping', asks: /\/rooms\?/, shows: '.room' },
    ...{ empty: { without: ['rooms'], says: /^No rooms match\.$/ }, denied: desk },
  },
  {
    ...{ page: 'groups', of: 'desk', address: 'groups', asks: /\/group-blocks$/ },
    ...{ shows: 'text=No groups yet.', denied: desk },
    empty: { without: ['blocks'], says: /^No groups yet\.$/ },
  },
  {
    ...{ page: 'refunds', of: 'desk', address: 'refunds', asks: /\/v1\/staff\/reservations\?/ },
    ...{ shows: '.table', denied: desk },
    empty: { without: ['reservations'], says: /^No reservations found\.$/ },
  },
  {
    ...{ page: 'prices', of: 'desk', address: 'rates', asks: /\/calendar\?/, shows: '.prices', denied: desk },
    empty: { without: ['days'], says: /^No inventory for these dates yet\.$/ },
  },
  {
    ...{ page: 'audit log', of: 'desk', address: 'actions', asks: /\/v1\/staff\/actions\?/ },
    ...{ shows: '.table', empty: { without: ['actions'], says: /^No actions yet\.$/ }, denied: desk },
  },
  {
    ...{ page: 'payments', of: 'finance', address: 'payments', asks: /\/v1\/finance\/payments\?/ },
    ...{ shows: '.table td', denied: others },
    empty: {
      without: ['payments'],
      says: /^No payments yet\. They appear here as soon as one is submitted\.$/,
    },
  },
  {
    ...{ page: 'a payment', of: 'finance', address: 'payments/{order}' },
    ...{ asks: /\/v1\/finance\/payments\/[^/]+$/, shows: 'main li', empty: one, denied: others },
  },
  {
    ...{ page: 'mismatches', of: 'finance', address: 'findings', asks: /\/v1\/finance\/findings/ },
    ...{ shows: '.finance-figure', denied: others },
    empty: { without: ['findings'], says: /^No open mismatches\.$/ },
  },
  {
    ...{ page: 'reviews', of: 'finance', address: 'reviews', asks: /\/v1\/payouts\?status/ },
    ...{ shows: 'text=No open reviews.', denied: others },
    empty: { without: ['payouts'], says: /^No open reviews\.$/ },
  },
  {
    ...{ page: 'dead letters', of: 'finance', address: 'letters', asks: /\/v1\/payment-dead-letters/ },
    ...{ shows: 'text=No dead letters.', denied: others },
    empty: { without: ['dead_letters'], says: /^No dead letters\.$/ },
  },
  {
    ...{ page: 'disputes', of: 'finance', address: 'disputes', asks: /\/v1\/disputes/ },
    ...{ shows: 'text=No open disputes.', denied: others },
    empty: { without: ['disputes'], says: /^No open disputes\.$/ },
  },
  {
    ...{ page: 'payouts', of: 'finance', address: 'payouts', asks: /\/v1\/payouts\?/, denied: others },
    ...{ shows: 'text=No payouts yet', empty: { without: ['payouts'], says: /^No payouts yet/ } },
  },
  {
    ...{ page: 'balances', of: 'finance', address: 'balances', asks: /\/v1\/finance\/balances/ },
    ...{ shows: 'text=Nothing has been posted yet.', denied: others },
    empty: { without: ['balances'], says: /^Nothing has been posted yet\.$/ },
  },
  {
    ...{ page: 'audit', of: 'finance', address: 'audit', asks: /\/v1\/finance\/audit/, denied: others },
    ...{ shows: 'text=Nobody has done anything yet.' },
    empty: { without: ['deeds'], says: /^Nobody has done anything yet\.$/ },
  },
];

/** The states that a page shows, as columns of the table. */
export const states = ['loading', 'empty', 'error', 'offline', 'busy', 'denied'] as const;

/** A page with tests of its own: the file, and the title of the test of each state, or why there is none. */
export interface TestedPage {
  readonly page: string;
  readonly states: Readonly<Record<(typeof states)[number], readonly [file: string, title: string] | string>>;
}

const map = 'tests/browser/states.test.ts';
const route = 'a route is awaited, fails and is asked for again, by a click or when the network is back';
const light = 'the light is live only while everything that is asked is answered';
const operations = 'tests/browser/operations-page.test.ts';
const signIn = 'tests/browser/sign-in.test.ts';
const silentProvider = [signIn, 'tells of a wrong clock and of a provider that does not answer'] as const;

export const testedPages: readonly TestedPage[] = [
  {
    page: 'map: a route',
    states: {
      ...{ loading: [map, route], empty: [map, route], error: [map, route], offline: [map, route] },
      ...{ busy: [map, light], denied: open },
    },
  },
  {
    page: 'map: the city',
    states: {
      loading: 'the map itself is what loads; the light says “connecting”',
      empty: [map, 'says that all roads are open'],
      error: [map, light],
      offline: [map, 'opens without a network with the map of the last visit, and is live again with one'],
      busy: [map, light],
      denied: ['tests/browser/plan.test.ts', 'says what to do where the location is denied'],
    },
  },
  {
    page: 'map: a search',
    states: {
      loading: 'suggestions of the letters before stay until the next ones are there',
      empty: ['tests/browser/search.test.ts', 'reports that no place has the name'],
      error: [map, 'a search that fails says so'],
      offline: [map, 'a search that fails says so'],
      ...{ busy: [map, light], denied: open },
    },
  },
  {
    page: 'map: navigation',
    states: {
      loading: [map, route],
      empty: 'a drive has steps',
      error: [
        'tests/browser/live-page.test.ts',
        'reconnects a broken socket, and resumes instead of starting again',
      ],
      offline: [
        'tests/browser/navigate.test.ts',
        'goes on without a network on the last route, says so, and returns by itself',
      ],
      ...{ busy: [map, light], denied: open },
    },
  },
  {
    page: 'operations, all views',
    states: {
      loading: [operations, 'loading, before the first answer'],
      empty: [operations, 'empty'],
      error: [operations, 'broken'],
      offline: [operations, 'offline, and online again by itself'],
      busy: [operations, 'busy: the last figures stay, and it is asked again'],
      denied: [operations, 'denied: nothing is shown, also of what was known before'],
    },
  },
  {
    page: 'sign-in',
    states: {
      loading: 'the browser is at the provider',
      empty: 'there is always a button',
      ...{ error: silentProvider, offline: silentProvider, busy: silentProvider },
      denied: [signIn, 'tells of a refused consent, and leads back'],
    },
  },
];
