/**
 * A list without the elements of `gone` and with those of `came`. The list ascends by the unique identity of
 * its elements; `gone` and `came` need no order.
 */
export function patchSorted<Element>(
  list: readonly Element[],
  gone: readonly Element[],
  came: readonly Element[],
  identity: (element: Element) => number,
): readonly Element[] {
  if (gone.length === 0 && came.length === 0) return list;
  const byIdentity = (a: Element, b: Element): number => identity(a) - identity(b);
  if (list.length === 0) return came.toSorted(byIdentity);
  const [leaving, coming] = [gone.toSorted(byIdentity), came.toSorted(byIdentity)];
  // A copy of about the right length, which is overwritten: a growing array would be copied several times.
  const patched = list.slice();
  let [at, length] = [0, 0];
  const keepTo = (end: number): void => {
    if (at === length) at = length = end;
    while (at < end) patched[length++] = list[at++]!;
  };
  for (let left = 0, put = 0; left < leaving.length || put < coming.length; ) {
    const leaves = left < leaving.length ? identity(leaving[left]!) : Number.POSITIVE_INFINITY;
    const comes = put < coming.length ? identity(coming[put]!) : Number.POSITIVE_INFINITY;
    keepTo(indexIn(list, Math.min(leaves, comes), identity, at));
    if (leaves <= comes) {
      left++;
      at++;
    }
    if (comes <= leaves) patched[length++] = coming[put++]!;
  }
  keepTo(list.length);
  patched.length = length;
  return patched;
}

/** The index of the first element, from `from` on, with an identity that is not smaller. */
export function indexIn<Element>(
  list: readonly Element[],
  wanted: number,
  identity: (element: Element) => number,
  from = 0,
): number {
  let low = from;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (identity(list[middle]!) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
