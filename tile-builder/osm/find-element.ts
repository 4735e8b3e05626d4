/** The element of that id in a list that is ascending by id; of several the first. */
export function findElement<Element extends { readonly id: number }>(
  list: readonly Element[],
  id: number,
): Element | undefined {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]!.id < id) low = middle + 1;
    else high = middle;
  }
  return list[low]?.id === id ? list[low] : undefined;
}
