/** Texts for drivers in the frames of the navigation socket. */

export const unknownNavigation = 'You have no navigation with this id.';
export const logUnavailable = 'The event log is not available. Try again in a moment.';
export const startPending = 'The previous start is still in progress.';
export const unexpectedHello = 'This socket is already authenticated.';
export const tooManyNavigations = 'Too many navigations are active. Try again in a minute.';
export const badTimestamp = 'The timestamp must be close to the current time, in Unix milliseconds.';

export const noSuchNavigation = 'No navigation with this id.';

// Frames that a client missed.
export const unreachable = 'Your destination cannot be reached right now: all roads to it are closed.';
export const changedMeanwhile = 'The route changed while you were offline.';
