import { useLayoutEffect, useState } from 'preact/hooks';

const parts = (): readonly string[] =>
  location.hash.replace(/^#\/?/, '').replace(/\?.*$/, '').split('/').filter(Boolean).map(decodeURIComponent);

/**
 * The parts of the address behind `#/`; renders again when they change. Every view of the page has its own
 * address.
 */
export function useAddress(): readonly string[] {
  const [address, setAddress] = useState(parts);
  // Before the next paint, because a link that is followed before a later effect would be missed.
  useLayoutEffect(() => {
    const changed = () => {
      setAddress(parts());
      scrollTo(0, 0);
      // A screen reader continues at the new heading.
      document.querySelector<HTMLElement>('main')?.focus();
    };
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return address;
}

export const addressOf = (...address: readonly string[]): string =>
  `#/${address.map(encodeURIComponent).join('/')}`;

export function goTo(...address: readonly string[]): void {
  location.hash = addressOf(...address);
}

/** The address of what is shown already, so that a reload shows it again; no step back leads to it. */
export function noteAddress(...address: readonly string[]): void {
  history.replaceState(null, '', addressOf(...address));
}
