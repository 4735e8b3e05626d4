import { GeocodeIndexBuilder } from './build-geocode-index.js';

/**
 * The cache of a long-running builder for its last index. Pass the same session to each build: results of
 * elements that are the same objects are reused, and the bytes equal those of an index from scratch.
 */
export class GeocodingSession {
  #builder: GeocodeIndexBuilder | undefined;

  /** Clears the cache: the next index is built from scratch. */
  forget(): void {
    this.#builder = undefined;
  }

  /** Builds an index with the cached results, which are discarded if `make` throws. */
  async with<Made>(make: (builder: GeocodeIndexBuilder) => Promise<Made>): Promise<Made> {
    const builder = this.#builder ?? new GeocodeIndexBuilder();
    // No other build uses it meanwhile, and none after a failure.
    this.#builder = undefined;
    const made = await make(builder);
    this.#builder = builder;
    return made;
  }
}
