interface Numbered {
  readonly id: number;
}

/**
 * The index of the first element with an id that is not smaller, in a list that ascends by id; the list's
 * length if all are smaller.
 */
export function placeOfId(list: readonly Numbered[], id: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]!.id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The element with this id in a list that ascends by id; of several, the first. */
export function findElement<Element extends Numbered>(
  list: readonly Element[],
  id: number,
): Element | undefined {
  const element = list[placeOfId(list, id)];
  return element?.id === id ? element : undefined;
}
