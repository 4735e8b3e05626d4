import { objectStoreLimits } from './limits.js';
import { InvalidObjectKey } from './object-store.js';

const allowed = /^[A-Za-z0-9._/-]*$/;

/**
 * Throws `InvalidObjectKey` unless `key` obeys the rule of the port, which also keeps it inside the store's
 * folder.
 */
export function checkObjectKey(key: string): void {
  checkSegments(key, key.split('/'), 'object key');
  if (key.split('/').some((segment) => segment === '')) {
    throw new InvalidObjectKey(
      `The object key ${shown(key)} has an empty segment: write a/b, not /a, a//b or a/.`,
    );
  }
}

export function isObjectKey(key: string): boolean {
  try {
    checkObjectKey(key);
    return true;
  } catch {
    return false;
  }
}

/** A prefix is the beginning of a key: it may be empty and may end in the middle of a segment. */
export function checkObjectPrefix(prefix: string): void {
  const whole = prefix.split('/').slice(0, -1);
  checkSegments(prefix, whole, 'prefix');
  if (whole.some((segment) => segment === '')) {
    throw new InvalidObjectKey(
      `The prefix ${shown(prefix)} has an empty segment: write a/b, not /a or a//b.`,
    );
  }
}

function checkSegments(key: string, segments: readonly string[], what: string): void {
  const { keyLengthMax, keySegmentLengthMax } = objectStoreLimits;
  if (key.length > keyLengthMax) {
    throw new InvalidObjectKey(
      `The ${what} has ${key.length} characters; at most ${keyLengthMax} are allowed.`,
    );
  }
  if (!allowed.test(key)) {
    throw new InvalidObjectKey(
      `The ${what} ${shown(key)} may contain only letters, digits, '.', '_', '-' and '/'.`,
    );
  }
  for (const segment of segments) {
    if (segment === '.' || segment === '..') {
      throw new InvalidObjectKey(`The ${what} ${shown(key)} may not contain the segment '${segment}'.`);
    }
    if (segment.length > keySegmentLengthMax) {
      throw new InvalidObjectKey(
        `The ${what} has a segment of ${segment.length} characters; ` +
          `at most ${keySegmentLengthMax} are allowed.`,
      );
    }
  }
}

/** A log line must show where a hostile key ends and must not contain its control characters. */
function shown(key: string): string {
  return JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key);
}
