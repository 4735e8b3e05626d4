import type { Scope } from '#schemas/http/route-contract.js';
import type { messages } from './sign-in-messages.js';

interface SignInPage {
  readonly name: keyof typeof messages.purposes;
  /** What it requests; the provider gives those that the person has. */
  readonly scopes: readonly Scope[];
}

const pages: ReadonlyMap<string, SignInPage> = new Map([
  ['stay', { name: 'stay', scopes: ['customer'] }],
  ['payment', { name: 'payment', scopes: ['customer'] }],
  ['staff', { name: 'staff', scopes: ['desk'] }],
  ['finance', { name: 'finance', scopes: ['finance', 'payouts'] }],
  ['operations', { name: 'operations', scopes: ['operator'] }],
]);
const map: SignInPage = { name: 'map', scopes: ['customer', 'operator'] };

/** The page that this is. */
export const signInPage = (): SignInPage => pages.get(location.pathname.split('/')[1]!) ?? map;
