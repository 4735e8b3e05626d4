import { travelModes } from '#routing-engine/travel-mode.js';
import { growingInt32, growingUint32 } from '../osm/growing-array.js';
import { type IndexColumns, NOTHING } from './index-file.js';
import { lowerBound } from './lower-bound.js';
import { nearestRoads, type RoadPlace } from './nearest-roads.js';
import { AGAINST } from './road-access.js';
import type { RoadGrid } from './road-grid.js';

type Columns = Pick<IndexColumns, 'access' | 'accessWay' | 'accessLngE7' | 'accessLatE7' | 'accessSide'>;

/** Gathers where each row is reached from the roads. */
export class AccessColumns {
  readonly #roads: RoadGrid;
  readonly #access: Uint32Array;
  readonly #way = growingUint32();
  readonly #lng = growingInt32();
  readonly #lat = growingInt32();
  readonly #side = growingUint32();

  constructor(rows: number, roads: RoadGrid) {
    this.#roads = roads;
    this.#access = new Uint32Array(travelModes.length * rows).fill(NOTHING);
  }

  /** A place beside the roads; `names` are the numbers of the grid's names that its address may bear. */
  set(row: number, lngE7: number, latE7: number, names: readonly number[]): void {
    this.#put(row, nearestRoads(this.#roads, lngE7, latE7, names));
  }

  /** A place on a way: who may go there is there, and only the others look for a road. */
  setOnWay(row: number, way: number, lngE7: number, latE7: number, names: readonly number[]): void {
    const at = lowerBound(this.#roads.wayId, way);
    const may = this.#roads.wayId[at] === way ? this.#roads.modes[at] : 0;
    const places = travelModes.map((_, mode): RoadPlace | undefined => {
      const along = (may & (1 << mode)) !== 0;
      if (!along && (may & (1 << (travelModes.length + mode))) === 0) return undefined;
      return { way: at, against: !along, lngE7, latE7, side: 0 };
    });
    if (places.includes(undefined)) {
      const others = nearestRoads(this.#roads, lngE7, latE7, names);
      this.#put(
        row,
        places.map((place, mode) => place ?? others[mode]),
      );
    } else this.#put(row, places);
  }

  columns(): Columns {
    return {
      access: this.#access,
      accessWay: this.#way.trimmed(),
      accessLngE7: this.#lng.trimmed(),
      accessLatE7: this.#lat.trimmed(),
      accessSide: Uint8Array.from(this.#side.trimmed()),
    };
  }

  #put(row: number, places: readonly (RoadPlace | undefined)[]): void {
    const first = travelModes.length * row;
    for (const [mode, place] of places.entries()) {
      if (place === undefined) continue;
      const same = places.findIndex((other) => other !== undefined && isSamePlace(other, place));
      if (same < mode) {
        this.#access[first + mode] = this.#access[first + same];
        continue;
      }
      this.#access[first + mode] = this.#way.length;
      this.#way.push(place.way);
      this.#lng.push(place.lngE7);
      this.#lat.push(place.latE7);
      this.#side.push(place.side + (place.against ? AGAINST : 0));
    }
  }
}

const isSamePlace = (a: RoadPlace, b: RoadPlace): boolean =>
  a.way === b.way && a.against === b.against && a.lngE7 === b.lngE7 && a.latE7 === b.latE7;
