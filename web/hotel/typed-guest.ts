import { keptByTab } from '../http/kept.js';
import { leavingForSignIn } from '../sign-in/leaving.js';
import { type GuestEntry, nothingTyped } from './guest-entry.js';

/** What a guest has typed before a reservation, kept while the page is open. */
interface TypedGuest {
  readonly entry: GuestEntry;
  /** A saved card pays one hotel only. */
  readonly savesCard: boolean;
}

interface KeptGuest extends TypedGuest {
  readonly offers: readonly string[];
  /** Unix milliseconds of this device. */
  readonly leftMs: number;
}

const key = 'meridian-typed-guest';
/** Long enough to sign in; then nobody expects it any more. */
const keptForMs = 15 * 60_000;

let typed: TypedGuest = { entry: nothingTyped, savesCard: false };
/** Offers whose form is open, or was when the page was left. */
const open = new Set<string>();

export const typedGuest = (): TypedGuest => typed;
export function setTypedGuest(next: TypedGuest): void {
  typed = next;
}

export const isFormOpen = (offer: string): boolean => open.has(offer);
export function setFormOpen(offer: string, isOpen: boolean): void {
  if (isOpen) open.add(offer);
  else open.delete(offer);
}

/** A form that is open outlives a sign-in at a provider: nobody types the same twice. */
export function keepTypedGuest(): void {
  const kept = keptByTab.get(key);
  keptByTab.remove(key);
  if (kept !== null) {
    const { offers, leftMs, entry, savesCard } = JSON.parse(kept) as KeptGuest;
    if (Math.abs(Date.now() - leftMs) < keptForMs) {
      typed = { entry, savesCard };
      for (const offer of offers) open.add(offer);
    }
  }
  addEventListener(leavingForSignIn, () => {
    if (open.size === 0) return;
    const next: KeptGuest = { ...typed, offers: [...open], leftMs: Date.now() };
    keptByTab.set(key, JSON.stringify(next));
  });
  // After the browser's back button the page is as it was left.
  addEventListener('pageshow', () => keptByTab.remove(key));
}
