export const badKey = 'The API key is unknown, revoked or expired.';
export const keysUnavailable = 'API keys cannot be checked at the moment.';
export const noPlan = 'There is no such plan. Add it with PUT /v1/plans/{plan}.';
export const noCustomer = 'There is no such customer.';
export const noKey = 'The customer has no such key.';
export const tooManyKeys = (most: number): string =>
  `The customer has ${most} keys that are not revoked. Revoke one first.`;
export const expiresInThePast = 'It lies in the past.';
export const wrongRange = (most: number): string =>
  `It is before \`from\`, or more than ${most} days after it.`;
export const databaseUnavailable = 'The database is unavailable at the moment.';
