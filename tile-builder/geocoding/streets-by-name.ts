import type { Street } from './gather-streets.js';

/** Streets by their folded names, in the order of their identities. */
export class StreetsByName {
  readonly #streets = new Map<string, readonly Street[]>();

  named(folded: string): readonly Street[] {
    return this.#streets.get(folded) ?? noStreets;
  }

  clear(): void {
    this.#streets.clear();
  }

  add(street: Street): void {
    for (const name of street.road.folded)
      this.#streets.set(
        name,
        [...this.named(name), street].sort((a, b) => a.key - b.key),
      );
  }

  remove(street: Street): void {
    for (const name of street.road.folded) {
      const others = this.named(name).filter((each) => each !== street);
      if (others.length === 0) this.#streets.delete(name);
      else this.#streets.set(name, others);
    }
  }
}

const noStreets: readonly Street[] = [];
