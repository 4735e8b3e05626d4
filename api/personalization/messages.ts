/** Texts about usual places and routes. */

export const retry = 'Retry: the same decision sent twice counts once.';
export const tooMany = 'No more users can allow this at the moment.';
export const storeUnavailable = 'The store of usual places is not available.';
