import type { Street } from '../gazetteer/gazetteer.js';
import { patchSorted } from '../gazetteer/patch-sorted.js';

interface Changed {
  readonly gone: Street[];
  readonly came: Street[];
}

/** Streets by their folded names, in the order of their identities. */
export class StreetsByName {
  readonly #streets = new Map<string, readonly Street[]>();

  named(folded: string): readonly Street[] {
    return this.#streets.get(folded) ?? noStreets;
  }

  clear(): void {
    this.#streets.clear();
  }

  patch(gone: readonly Street[], came: readonly Street[]): void {
    const changes = new Map<string, Changed>();
    const changedOf = (name: string): Changed => {
      const changed = changes.get(name) ?? { gone: [], came: [] };
      changes.set(name, changed);
      return changed;
    };
    for (const street of gone) for (const name of street.road.folded) changedOf(name).gone.push(street);
    for (const street of came) for (const name of street.road.folded) changedOf(name).came.push(street);
    for (const [name, changed] of changes) {
      const streets = patchSorted(this.named(name), changed.gone, changed.came, ({ key }) => key);
      if (streets.length === 0) this.#streets.delete(name);
      else this.#streets.set(name, streets);
    }
  }
}

const noStreets: readonly Street[] = [];
