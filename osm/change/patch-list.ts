import { placeOfId } from '../elements/find-element.js';

interface Numbered {
  readonly id: number;
}

/** Ids of a change in ascending order. */
export const ascending = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

/** An ascending list with some elements replaced; null: removed. The same list if nothing changed. */
export function patchList<Element extends Numbered>(
  list: readonly Element[],
  changes: ReadonlyMap<number, Element | null>,
): readonly Element[] {
  if (changes.size === 0) return list;
  const patched: Element[] = [];
  let at = 0;
  for (const id of ascending(changes.keys())) {
    const place = placeOfId(list, id);
    while (at < place) patched.push(list[at++]!);
    if (list[at]?.id === id) at++;
    const element = changes.get(id);
    if (element != null) patched.push(element);
  }
  while (at < list.length) patched.push(list[at++]!);
  return patched;
}
