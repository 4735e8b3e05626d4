/** Refusals of a provider that has accepted nothing and will do nothing: another provider may be asked. */
export const providerCodes: ReadonlySet<string> = new Set([
  'provider_unreachable',
  'provider_unavailable',
  'rate_limited',
  'invalid_api_key',
]);
