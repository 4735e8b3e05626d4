import type { RoadProposed, RoadReviewed } from '#schemas/messages.js';
import { roadProposalsMax } from '../http/limits.js';

export interface KnownRoad {
  readonly proposed: RoadProposed;
  readonly reviewed?: RoadReviewed;
}

/** Proposed roads and the decisions on them, read from the beginning of their compacted topics. */
export class RoadProposalStore {
  readonly #tilesetId: () => string;
  readonly #proposed = new Map<string, RoadProposed>();
  readonly #reviewed = new Map<string, RoadReviewed>();

  /**
   * @param tilesetId the current tileset: a road proposed on another tileset may be on the map now.
   */
  constructor(tilesetId: () => string) {
    this.#tilesetId = tilesetId;
  }

  applyProposal(road: RoadProposed): void {
    if (this.#proposed.has(road.roadId) || this.#proposed.size < roadProposalsMax)
      this.#proposed.set(road.roadId, road);
  }

  applyReview(review: RoadReviewed): void {
    if ((this.#reviewed.get(review.roadId)?.reviewedMs ?? 0) <= review.reviewedMs)
      this.#reviewed.set(review.roadId, review);
  }

  find(roadId: string): KnownRoad | undefined {
    const proposed = this.#proposed.get(roadId);
    if (proposed?.tilesetId !== this.#tilesetId()) return undefined;
    const reviewed = this.#reviewed.get(roadId);
    return { proposed, ...(reviewed === undefined ? {} : { reviewed }) };
  }

  /** Most driven first. */
  all(): KnownRoad[] {
    return [...this.#proposed.keys()]
      .flatMap((id) => this.find(id) ?? [])
      .toSorted((a, b) => b.proposed.passes - a.proposed.passes);
  }
}
