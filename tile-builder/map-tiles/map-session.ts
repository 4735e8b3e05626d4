/** What a builder that stays keeps of the map that it built last, so that the next build finds by identity what did not change. */
export class MapSession {
  /** After this the next build takes nothing from here. */
  forget(): void {}
}
