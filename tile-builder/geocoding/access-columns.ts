import { travelModes } from '#routing-engine/travel-mode.js';
import { growingInt32, growingUint32 } from '../osm/growing-array.js';
import { type IndexColumns, NOTHING } from './index-file.js';
import type { Access } from './nearest-roads.js';
import { AGAINST } from './road-access.js';

type Columns = Pick<IndexColumns, 'access' | 'accessWay' | 'accessLngE7' | 'accessLatE7' | 'accessSide'>;

/** Gathers where each row is reached from the roads. */
export class AccessColumns {
  readonly #access: Uint32Array;
  readonly #way = growingUint32();
  readonly #lng = growingInt32();
  readonly #lat = growingInt32();
  readonly #side = growingUint32();

  constructor(rows: number) {
    this.#access = new Uint32Array(travelModes.length * rows).fill(NOTHING);
  }

  set(row: number, { places }: Access): void {
    const first = travelModes.length * row;
    for (let mode = 0; mode < places.length; mode++) {
      const place = places[mode];
      if (place === undefined) continue;
      const same = places.indexOf(place);
      if (same < mode) {
        this.#access[first + mode] = this.#access[first + same];
        continue;
      }
      this.#access[first + mode] = this.#way.length;
      this.#way.push(place.road.index);
      this.#lng.push(place.lngE7);
      this.#lat.push(place.latE7);
      this.#side.push(place.side + (place.against ? AGAINST : 0));
    }
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
}
