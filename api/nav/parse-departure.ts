import * as messages from './messages.js';
export type DepartureOutcome =
  /** Undefined: now. */
  | { readonly ok: true; readonly departureMs: number | undefined }
  | { readonly ok: false; readonly message: string };

/** Tolerates client clocks that are slightly slow. */
const lateMs = 5 * 60_000;
const aheadMs = 366 * 24 * 3_600_000;

/** `now`, Unix seconds as Google has them, or an RFC 3339 time; not in the past and within a year. */
export function parseDeparture(text: string | undefined, nowMs: number): DepartureOutcome {
  if (text === undefined || text === 'now') return { ok: true, departureMs: undefined };
  const departureMs = /^\d{1,11}$/.test(text)
    ? 1_000 * Number(text)
    : /^\d{4}-\d\d-\d\dT/.test(text)
      ? Date.parse(text)
      : Number.NaN;
  if (Number.isNaN(departureMs)) return { ok: false, message: messages.badDeparture };
  if (departureMs < nowMs - lateMs || departureMs > nowMs + aheadMs)
    return { ok: false, message: messages.departureOutOfRange };
  return { ok: true, departureMs };
}
