import { useEffect, useState } from 'preact/hooks';
import { type Provider, whenAtProvider } from './session.js';

/** What pages show where people sign in at a provider; null elsewhere, and until that is known. */
export function useProvider(): Provider | null {
  const [provider, setProvider] = useState<Provider | null>(null);
  useEffect(() => whenAtProvider(setProvider), []);
  return provider;
}
