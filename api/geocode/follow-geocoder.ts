import type { Logger } from '#platform/telemetry/logger.js';
import type { Geocoder } from './geocoder.js';

export interface GeocoderSource {
  /** Id of the index that goes with the roads that serve now; undefined when there is none. */
  currentId(): Promise<string | undefined>;
  open(id: string): Promise<Geocoder>;
}

export interface FollowedGeocoder {
  /** The whole index at every moment: a question sees one version from start to end. */
  current(): Geocoder | undefined;
  /** Looks now; resolves when a newer index serves. Never rejects: what can't be opened is told and tried again. */
  look(): Promise<void>;
  close(): void;
}

/** A new place is known this long after its index was published, at most; opening it takes milliseconds. */
const lookEveryMs = 5_000;

/** Follows the index in the store, so that a map that was built anew serves without a restart. */
export async function followGeocoder(source: GeocoderSource, logger: Logger): Promise<FollowedGeocoder> {
  let serving: { readonly id: string; readonly geocoder: Geocoder } | undefined;
  let looking: Promise<void> | undefined;
  const lookOnce = async (): Promise<void> => {
    try {
      const id = await source.currentId();
      if (id === undefined || id === serving?.id) return;
      serving = { id, geocoder: await source.open(id) };
      logger.info('geocoding index is open', { id });
    } catch (error) {
      logger.warn('the new geocoding index cannot be opened; the one before goes on serving', { error });
    }
  };
  const look = (): Promise<void> => {
    looking ??= lookOnce().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  await look();
  const timer = setInterval(() => void look(), lookEveryMs).unref();
  return { current: () => serving?.geocoder, look, close: () => clearInterval(timer) };
}
