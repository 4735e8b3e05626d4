/** Longest accepted token; real ones are below 1 KB. */
export const tokenCharactersMax = 8 * 1024;
/** Clocks of issuer and server may differ by this much. */
export const leewayS = 30;
/** An unknown key id causes a fetch of the issuer's keys at most this often, for all callers together. */
export const keyRefreshMinMs = 60_000;
/** Until the first keys arrive the issuer is queried more often, so that a late start is detected soon. */
export const firstKeysRetryMs = 1_000;
/** Keys are fetched again when they are this old, so that a withdrawn one stops working. */
export const keyAgeMaxMs = 10 * 60_000;
export const keyFetchTimeoutMs = 3_000;
export const keySetBytesMax = 256 * 1024;
export const verifiedTokensMax = 20_000;
export const verifiedTokenCharactersMax = 16 * 1024 * 1024;
/** A verified token is accepted without another check of its signature for at most this long. */
export const verifiedTokenAgeMaxMs = 5 * 60_000;
export const userIdCharactersMax = 128;
export const tokenLifetimeMaxS = 30 * 86_400;
