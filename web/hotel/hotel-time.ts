import { locale } from '../language/language.js';

/** `2027-06-20T12:00`, as the clocks of this time zone show the moment. */
export function localAt(ms: number, timeZone: string): string {
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    ms,
  );
  return text.replace(' ', 'T');
}

/** Unix ms of what the clocks of this time zone show; of a time that they skip, an hour later. */
export function momentAt(local: string, timeZone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  const offsetAt = (ms: number) => Date.parse(`${localAt(ms, timeZone)}Z`) - ms;
  // The offset near the moment, then at the moment: they differ around a change of the clocks.
  return asUtc - offsetAt(asUtc - offsetAt(asUtc));
}

/** `20 Jun 2027, 12:00` as the page's language writes it. */
export const momentText = (iso: string, timeZone: string): string =>
  new Date(iso).toLocaleString(locale ?? 'en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' });
