import type { OperationsAnswer } from '#schemas/http/operations.js';
import { addressOf } from '../hotel/use-address.js';

/** What every view gets. */
export interface ViewProps {
  readonly seen: OperationsAnswer;
}

/** A larger lag is marked; `meridian doctor` warns of it, too. */
export const lagMax = 10_000;

/** Of five minutes, and the one that has begun. */
export const intervalsShown = 21;

/** The live map at a place. */
export const mapAt = ({ program }: OperationsAnswer, lat: number, lng: number, zoom = 17): string =>
  `${program.public_url}/?view=${lat.toFixed(5)},${lng.toFixed(5)},${zoom.toFixed(2)}`;

export const viewAddress = (view: 'lags' | 'closures' | 'requests' | 'customers' | 'load'): string =>
  addressOf(view);

/** Of all operations together. */
export function totalOf({ requests }: OperationsAnswer): {
  readonly perSecond: number;
  readonly requests: number;
  readonly failed: number;
} {
  const sum = (pick: (each: (typeof requests.operations)[number]) => number): number =>
    requests.operations.reduce((all, each) => all + pick(each), 0);
  const all = sum((each) => each.requests);
  return {
    perSecond: all / Math.max(1, requests.covered_s),
    requests: all,
    failed: sum((each) => each.failed),
  };
}
