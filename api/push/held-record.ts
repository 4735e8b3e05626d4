import { type NavigationChanged, navigationState } from '#schemas/messages.js';
import { edgeIdsOf, type WrittenFrame } from './frames.js';
import type { RouteDecision } from './route-decision.js';

/** The edges of a route, by their names in a tileset. */
export type RouteEdges = Pick<NavigationChanged, 'tilesetId' | 'edgeIds'>;

type TilesOf = (route: RouteEdges) => readonly string[] | undefined;

/** A record whose lists are one text each: a hundred strings take three times the memory. */
interface Packed extends Omit<NavigationChanged, 'edgeIds' | 'tiles'> {
  /** JSON. */
  readonly edgeIds: string;
  readonly tiles: string;
}

interface Better
  extends Pick<
    NavigationChanged,
    'tilesetId' | 'durationS' | 'distanceM' | 'metricVersion' | 'changedMs' | 'routeVersion'
  > {
  readonly text: Buffer;
  readonly tilesOf: TilesOf;
}

/**
 * The newest record of a navigation. The record of a better route is built from its frame on demand, because
 * most are replaced before that.
 */
export class HeldRecord {
  readonly state: number;
  readonly routeVersion: number;
  /** The last state sent to the session, before the better route if there is one. */
  #base: Packed;
  #better: Better | undefined;

  private constructor(base: Packed, better?: Better) {
    this.state = better === undefined ? base.state : navigationState.rerouted;
    this.routeVersion = better?.routeVersion ?? base.routeVersion;
    this.#base = base;
    this.#better = better;
  }

  static of(record: NavigationChanged): HeldRecord {
    return new HeldRecord(packed(record));
  }

  get active(): boolean {
    return this.state !== navigationState.ended;
  }

  /** Made for each call. */
  get whole(): NavigationChanged {
    const base = this.#base;
    if (this.#better === undefined)
      return { ...base, edgeIds: listOf(base.edgeIds), tiles: listOf(base.tiles) };
    const { text, tilesOf, ...better } = this.#better;
    const edgeIds = edgeIdsOf(text);
    const tiles = tilesOf({ tilesetId: better.tilesetId, edgeIds }) ?? listOf(base.tiles);
    // What the driver declined belongs to the route that they chose.
    return { ...base, ...better, declinedS: 0, state: this.state, edgeIds, tiles };
  }

  /** The record of the better route that a frame describes. */
  rerouted(change: RouteDecision, frame: WrittenFrame, tilesOf: TilesOf): HeldRecord {
    // Only the unchanged fields of the previous record; otherwise each record would keep all earlier ones in
    // memory.
    return new HeldRecord(this.#base, {
      tilesetId: change.tilesetId,
      durationS: change.durationS,
      distanceM: change.distanceM,
      metricVersion: change.metricVersion,
      changedMs: change.decidedMs,
      routeVersion: frame.id,
      text: frame.text,
      tilesOf,
    });
  }

  /** No route leads to the destination; the record keeps the last route. */
  unreachable({ metricVersion, decidedMs }: RouteDecision, { id }: WrittenFrame): HeldRecord {
    const changed = { metricVersion, routeVersion: id, changedMs: decidedMs };
    return HeldRecord.of({ ...this.whole, ...changed, state: navigationState.unreachable });
  }

  /** Releases the frame, which may share its memory with others. */
  release(): void {
    if (this.#better === undefined) return;
    this.#base = packed(this.whole);
    this.#better = undefined;
  }
}

const packed = (record: NavigationChanged): Packed => ({
  ...record,
  edgeIds: JSON.stringify(record.edgeIds),
  tiles: JSON.stringify(record.tiles),
});

const listOf = (text: string): readonly string[] => JSON.parse(text) as readonly string[];
