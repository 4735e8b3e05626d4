import type { Environment } from './setting.js';

const ownPrefix = 'MERIDIAN_';
/** Settings of `infra/up`, which is a program of its own. */
const infraPrefix = 'MERIDIAN_INFRA_';

/** Keys that systems and tools set; some resemble ours. */
const foreign = new Set(['CCACHE', 'LOCATION']);

/**
 * Undeclared keys that look as if they were meant for us: they carry our prefix, or differ from a declared
 * name by a typing error. Otherwise a typing error would silently select the default.
 */
export function unknownKeys(environment: Environment, declared: readonly string[]): string[] {
  const known = new Set(declared);
  const sentences: string[] = [];
  for (const key of Object.keys(environment).toSorted()) {
    if (known.has(key) || foreign.has(key) || key.startsWith(infraPrefix)) continue;
    const meant = nearest(key, declared);
    if (key.startsWith(ownPrefix) || meant !== undefined) {
      sentences.push(`${key} is not a setting${meant === undefined ? '' : `; did you mean ${meant}?`}`);
    }
  }
  return sentences;
}

export function nearest(key: string, declared: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of declared) {
    const distance = editDistance(key, name);
    if (distance <= slipsAllowed(name) && distance < least) {
      best = name;
      least = distance;
    }
  }
  return best;
}

/** Short names are close to unrelated ones (`PORT` and `PATH`), long ones hardly ever. */
function slipsAllowed(name: string): number {
  if (name.length <= 4) return 0;
  return name.length <= 7 ? 1 : 2;
}

/** Insertions, deletions, substitutions and swaps of adjacent letters (optimal string alignment). */
function editDistance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1]
      ) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
