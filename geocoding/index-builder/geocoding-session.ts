import { GeocodeIndexBuilder } from './build-geocode-index.js';

/**
 * What a builder that stays remembers of the index it made last. Hand the same one in again each time: what
 * is made of elements that are the same objects as last time is taken over, and the bytes are those of an
 * index from scratch.
 */
export class GeocodingSession {
  #builder: GeocodeIndexBuilder | undefined;

  /** Forgets everything: the next index is made from scratch. */
  forget(): void {
    this.#builder = undefined;
  }

  /** Builds an index with the cached results, which are discarded when `make` throws. */
  async with<Made>(make: (builder: GeocodeIndexBuilder) => Promise<Made>): Promise<Made> {
    const builder = this.#builder ?? new GeocodeIndexBuilder();
    // No other build gets it meanwhile, and none at all if this one fails.
    this.#builder = undefined;
    const made = await make(builder);
    this.#builder = builder;
    return made;
  }
}
