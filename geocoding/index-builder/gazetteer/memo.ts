import { unchangedRanges } from './unchanged-ranges.js';

/**
 * Computes a value for each element of a list, and for the next list only for elements that are not the same
 * objects: two ascending lists are compared in one pass. Values of elements that the last list lacked are
 * dropped.
 *
 * ```ts
 * const lengths = new Memo<TaggedWay, number>(({ id }) => id, ({ lngLatE7 }) => lngLatE7.length);
 * lengths.of(ways); // after a change: computes only the way that changed
 * ```
 */
export class Memo<Element, Result> {
  readonly #identity: (element: Element) => number;
  #elements: readonly Element[] = [];
  #all: readonly Result[] = [];

  /** `identity` ascends along every list; several elements may share one. */
  constructor(identity: (element: Element) => number) {
    this.#identity = identity;
  }

  /**
   * A value must depend only on the element and on what `stays` checks; if that is false, it is computed
   * again.
   */
  of(
    elements: readonly Element[],
    make: (element: Element) => Result,
    stays?: (result: Result, element: Element) => boolean,
  ): readonly Result[] {
    const [before, made] = [this.#elements, this.#all];
    const all: Result[] = [];
    let at = 0;
    for (const stretch of unchangedRanges(before, elements, this.#identity)) {
      while (at < stretch.now) all.push(make(elements[at++]!));
      for (let i = stretch.before; at < stretch.now + stretch.length; at++, i++) {
        const element = elements[at]!;
        all.push(stays === undefined || stays(made[i]!, element) ? made[i]! : make(element));
      }
    }
    while (at < elements.length) all.push(make(elements[at++]!));
    [this.#elements, this.#all] = [elements, all];
    return all;
  }
}

/** Whether these are the same objects, or numbers, in the same order. */
export function areSame(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
