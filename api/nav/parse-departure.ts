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
  const departureMs = timeOf(text);
  if (Number.isNaN(departureMs)) return { ok: false, message: messages.badDeparture };
  if (departureMs < nowMs - lateMs || departureMs > nowMs + aheadMs)
    return { ok: false, message: messages.departureOutOfRange };
  return { ok: true, departureMs };
}

export type ArrivalOutcome =
  /** Undefined: any. */
  | { readonly ok: true; readonly arriveByMs: number | undefined }
  | { readonly ok: false; readonly message: string };

/** Unix seconds or an RFC 3339 time; not in the past and within a year. */
export function parseArrival(text: string | undefined, nowMs: number): ArrivalOutcome {
  if (text === undefined) return { ok: true, arriveByMs: undefined };
  const arriveByMs = timeOf(text);
  if (Number.isNaN(arriveByMs)) return { ok: false, message: messages.badArrival };
  if (arriveByMs < nowMs || arriveByMs > nowMs + aheadMs)
    return { ok: false, message: messages.arrivalOutOfRange };
  return { ok: true, arriveByMs };
}

/** Unix milliseconds; NaN if the text is no time. */
function timeOf(text: string): number {
  if (/^\d{1,11}$/.test(text)) return 1_000 * Number(text);
  return /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
}
