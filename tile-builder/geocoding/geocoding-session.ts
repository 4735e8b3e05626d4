/**
 * What a builder that stays remembers of the index it made last. Hand the same one in again each time: what is made of elements that are
 * the same objects as last time is taken over. It never changes what comes out.
 */
export class GeocodingSession {
  /** Forgets everything: the next index is made from scratch. */
  forget(): void {}
}
