/** Every text of the sign-in at a provider. */

// The bar and the card.
export const signIn = 'Sign in';
export const signInAgain = 'Sign in again';
export const signOut = 'Sign out';
export const signedIn = 'Signed in';
export const signedInAs = (name: string) => `Signed in as ${name}`;
/** What the sign-in is for, by page. */
export const purposes = {
  map: 'Sign in to navigate and to share your location. Operators also see drivers and close roads.',
  stay: 'Sign in to reserve rooms and to see your reservations and saved cards.',
  payment: 'Sign in to pay.',
  staff: 'The staff desk is for hotel staff. Sign in with your work account.',
  finance: 'This page is for the finance team. Sign in with your work account.',
  operations: 'This page is for the people who run the platform. Sign in with your work account.',
} as const;

// Why a request got no token, or was denied.
export const needed = 'Sign in to continue.';
export const ended = 'Your sign-in has ended. Sign in again to continue; this page stays as it is.';
export const refusedByServer = (reason: string) => `The server did not accept your sign-in. ${reason}`;
export const denied = (scope: string) => `Your account may not do this. Ask for the scope “${scope}”.`;

// The page to which the provider sends the browser.
export const pageTitle = 'Meridian sign-in';
export const brand = 'Sign-in';
export const finishing = 'Signing you in …';
export const failedTitle = 'You are not signed in';
export const back = 'Back without signing in';
export const toMap = 'Live map';
export const mainNavigation = 'Main navigation';

export const failures = {
  refused: 'The sign-in was canceled or refused. If this was not you, ask who manages your account.',
  again: 'The sign-in took too long or was interrupted. Try again.',
  silent: 'The sign-in service does not answer. Check your connection and try again.',
  clock: 'The clock of this device is wrong, so the sign-in cannot be checked. Set the time and try again.',
  mismatch: 'This answer does not belong to a sign-in of this tab. Start the sign-in again here.',
  scope: 'The sign-in service does not know a permission that this page needs. Tell who runs this server.',
  provider: 'The sign-in service answered with an error. Try again; if it stays, tell who runs this server.',
} as const;
export const signedOutHere =
  'You are signed out on this page, but the sign-in service did not answer. On a shared device, close the ' +
  'browser.';
