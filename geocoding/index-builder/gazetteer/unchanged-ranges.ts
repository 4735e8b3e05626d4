/** Elements of two lists that are the same objects in the same order. */
export interface UnchangedRange {
  readonly before: number;
  readonly now: number;
  readonly length: number;
}

/**
 * All unchanged ranges of two lists in which `identity` ascends; several elements may share one. Elements
 * between the ranges are removed or new.
 */
export function unchangedRanges<Element>(
  before: readonly Element[],
  now: readonly Element[],
  identity: (element: Element) => number,
): UnchangedRange[] {
  const stretches: UnchangedRange[] = [];
  let at = 0;
  let i = 0;
  while (i < now.length && at < before.length) {
    let length = 0;
    while (i + length < now.length && at + length < before.length && before[at + length] === now[i + length])
      length++;
    if (length > 0) stretches.push({ before: at, now: i, length });
    at += length;
    i += length;
    if (i === now.length || at === before.length) break;
    // One of them is not in the other list, unless it follows among those with its identity.
    const element = now[i]!;
    const own = identity(element);
    while (at < before.length && before[at] !== element && identity(before[at]!) <= own) at++;
    if (before[at] !== element) i++;
  }
  return stretches;
}
