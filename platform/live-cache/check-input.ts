import { liveCacheLimits } from './limits.js';

export function checkName(what: 'key' | 'channel', name: string): void {
  const { nameLengthMax } = liveCacheLimits;
  if (name.length === 0 || name.length > nameLengthMax) {
    throw new RangeError(`A cache ${what} has 1–${nameLengthMax} characters, not ${name.length}.`);
  }
}

export function checkValue(what: 'value' | 'message', value: string): void {
  const { valueLengthMax } = liveCacheLimits;
  if (value.length > valueLengthMax) {
    throw new RangeError(`A cache ${what} has at most ${valueLengthMax} characters, not ${value.length}.`);
  }
}

export function checkTtl(ttlMs: number): void {
  const { ttlMsMax } = liveCacheLimits;
  if (!Number.isInteger(ttlMs) || ttlMs < 1 || ttlMs > ttlMsMax) {
    throw new RangeError(
      `A time to live is a whole number of milliseconds from 1 to ${ttlMsMax}, not ${ttlMs}.`,
    );
  }
}
