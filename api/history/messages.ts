/** What users read when their location history cannot be given. */

export const fromAfterTo = '`from` must not be later than `to`.';
export const storeUnavailable = 'The location store is not available.';
