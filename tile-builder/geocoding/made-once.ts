/** What was made of a list, and what became of it since the list before. */
export interface Made<Result> {
  /** One for each element, in their order. */
  readonly all: readonly Result[];
  /** Those made now, and those of before that are in the list no more. */
  readonly came: readonly Result[];
  readonly gone: readonly Result[];
  /** Identities of the elements of both; none the first time, when there was nothing before. */
  readonly changed: readonly number[];
}

/**
 * Makes something of each element of a list, and of the next list only of those that are not the same objects: two ascending lists
 * are compared in one pass. Nothing stays of an element that the last list did not hold.
 *
 * ```ts
 * const lengths = new MadeOnce<TaggedWay, number>(({ id }) => id, ({ lngLatE7 }) => lngLatE7.length);
 * lengths.of(ways).all; // once more after a change: one look at the way that changed
 * ```
 */
export class MadeOnce<Element, Result> {
  readonly #identity: (element: Element) => number;
  #elements: readonly Element[] = [];
  #all: readonly Result[] = [];

  /** `identity` ascends along every list; several elements may share one. */
  constructor(identity: (element: Element) => number) {
    this.#identity = identity;
  }

  /** What is made must follow from the element, and from what `stays` answers for: false makes it again. */
  of(
    elements: readonly Element[],
    make: (element: Element) => Result,
    stays: (result: Result, element: Element) => boolean = always,
  ): Made<Result> {
    const [before, made] = [this.#elements, this.#all];
    if (before.length === 0) {
      const first = elements.map((element) => make(element));
      [this.#elements, this.#all] = [elements, first];
      return { all: first, came: first, gone: [], changed: [] };
    }
    const all: Result[] = [];
    const came: Result[] = [];
    const gone: Result[] = [];
    const changed: number[] = [];
    let at = 0;
    for (const element of elements) {
      // Nearly all are what comes next of those before.
      if (before[at] !== element) {
        const identity = this.#identity(element);
        while (at < before.length && before[at] !== element && this.#identity(before[at]) <= identity) {
          gone.push(made[at]);
          changed.push(this.#identity(before[at++]));
        }
      }
      if (at < before.length && before[at] === element) {
        if (stays(made[at], element)) {
          all.push(made[at++]);
          continue;
        }
        gone.push(made[at++]);
      }
      const result = make(element);
      all.push(result);
      came.push(result);
      changed.push(this.#identity(element));
    }
    for (; at < before.length; at++) {
      gone.push(made[at]);
      changed.push(this.#identity(before[at]));
    }
    [this.#elements, this.#all] = [elements, all];
    return { all, came, gone, changed };
  }
}

const always = (): boolean => true;

/** Are these the same objects, or numbers, in the same order? */
export function areSame(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
