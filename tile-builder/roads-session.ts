/**
 * What a builder that stays remembers of the roads of its last build, so that the next one makes only what changed. The tileset is the
 * same, byte for byte, as without one. One session serves one build at a time.
 */
export class RoadsSession {
  /** The next build is made as the first one. */
  forget(): void {}
}
