import { indexedModes } from '../../index/indexed-modes.js';
import type { ExtractedFeatures } from '../extract/extracted-features.js';
import type { FoldName } from '../gazetteer/fold-name.js';
import type { House, Place } from '../gazetteer/gazetteer.js';
import type { Road } from '../gazetteer/road.js';
import { type Access, nearestRoads, oneOf, type RoadPlace } from './nearest-roads.js';
import type { RoadGrids } from './road-grids.js';
import { Squares, squareAt, squaresOfLine } from './squares.js';

/** Snaps places and houses to roads: the result follows from the roads in the searched squares. */
export class PlaceReacher {
  readonly #grids: RoadGrids;
  readonly #extracted: ExtractedFeatures;
  /** Squares in which a road was added or removed; computed on demand. */
  #changed: Squares | undefined;

  constructor(grids: RoadGrids, extracted: ExtractedFeatures) {
    this.#grids = grids;
    this.#extracted = extracted;
  }

  /** Whether a road changed within this many rings of squares. -1: no rings were searched. */
  hasChangedNear(lngE7: number, latE7: number, rings: number): boolean {
    this.#changed ??= squaresOf(this.#extracted);
    const changed = this.#changed;
    return changed.size > 0 && rings >= 0 && changed.hasWithin(squareAt(lngE7), squareAt(latE7), rings);
  }

  /** In the numbering of the grids. Other places named after a street are not on it. */
  namesOf({ kind, names }: Place, fold: FoldName): readonly number[] {
    return kind === 'street' ? names.map(({ text }) => this.#grids.nameNumbers.get(fold(text)) ?? 0) : [];
  }

  reach({ lngE7, latE7, road }: Place, names: readonly number[]): Access {
    return road === undefined
      ? nearestRoads(this.#grids, lngE7, latE7, names)
      : this.#reachOnRoad(road.on, lngE7, latE7, names);
  }

  reachHouse({ lngE7, latE7 }: House, names: readonly number[]): Access {
    return nearestRoads(this.#grids, lngE7, latE7, names);
  }

  /**
   * A place on a road: modes that may use this road have their access point here, and only the others search
   * for another road.
   */
  #reachOnRoad(road: Road, lngE7: number, latE7: number, names: readonly number[]): Access {
    const both = road.modes | (road.modes >> indexedModes.length);
    const everyone = (1 << indexedModes.length) - 1;
    const others =
      (both & everyone) === everyone ? undefined : nearestRoads(this.#grids, lngE7, latE7, names);
    const places: (RoadPlace | undefined)[] = [];
    for (let mode = 0; mode < indexedModes.length; mode++)
      places.push(
        oneOf(
          places,
          (both & (1 << mode)) === 0
            ? others?.places[mode]
            : { road, against: (road.modes & (1 << mode)) === 0, lngE7, latE7, side: 0 },
        ),
      );
    return { places, rings: others?.rings ?? -1 };
  }
}

function squaresOf({ addedRoads, removedRoads }: ExtractedFeatures): Squares {
  const squares = new Squares();
  const meet = (x: number, y: number): void => {
    squares.make(x, y);
  };
  for (const roads of [addedRoads, removedRoads])
    for (const { way, modes } of roads) if (modes !== 0) squaresOfLine(way.lngLatE7, meet);
  return squares;
}
