/**
 * Areas with their rings, the smallest first. A point is inside an area if it is inside an odd number of its
 * rings.
 */
export interface AreaColumns {
  /** [A+1] rings of an area. */
  readonly areaFirstRing: Uint32Array;
  /** [rings+1] points of a ring; the last is the first again. */
  readonly ringFirst: Uint32Array;
  /** [points] 1e-7 degrees. */
  readonly ringLngE7: Int32Array;
  readonly ringLatE7: Int32Array;
}

/** Side of the squares of the area index. */
const squareE7 = 500_000;
/** Edges of a band, about. */
const bandEdges = 16;

/** The edges of an area by bands from south to north, so that a query for one point reads a few of them. */
interface Bands {
  readonly heightE7: number;
  readonly first: Uint32Array;
  /** Index of the first point of an edge. */
  readonly edges: Uint32Array;
}

/**
 * Which areas a point lies in. Their bands are computed on first use, from columns that may be
 * those of a file.
 *
 * ```ts
 * areas.at(144_000_000, 358_000_000); // [3, 70]: the village, the country
 * ```
 */
export class Areas {
  readonly #columns: AreaColumns;
  /** By area: west, south, east, north. */
  readonly #boxes: Int32Array;
  readonly #bands: (Bands | undefined)[] = [];
  readonly #squares = new Map<number, number[]>();

  constructor(columns: AreaColumns) {
    this.#columns = columns;
    const count = columns.areaFirstRing.length - 1;
    this.#boxes = new Int32Array(4 * Math.max(0, count));
    for (let area = 0; area < count; area++) this.#enter(area);
  }

  /** The smallest first. */
  at(lngE7: number, latE7: number): number[] {
    const found: number[] = [];
    const square = this.#squares.get(squareKey(lngE7, latE7));
    if (square === undefined) return found;
    for (let i = 0; i < square.length; i++) if (this.holds(square[i], lngE7, latE7)) found.push(square[i]);
    return found;
  }

  holds(area: number, lngE7: number, latE7: number): boolean {
    const boxes = this.#boxes;
    const box = 4 * area;
    if (lngE7 < boxes[box] || lngE7 > boxes[box + 2] || latE7 < boxes[box + 1] || latE7 > boxes[box + 3])
      return false;
    const { first, edges, heightE7 } = this.#bandsOf(area);
    const band = Math.floor((latE7 - boxes[box + 1]) / heightE7);
    const { ringLngE7, ringLatE7 } = this.#columns;
    let inside = false;
    for (let i = first[band]; i < first[band + 1]; i++) {
      const edge = edges[i];
      const south = ringLatE7[edge];
      const north = ringLatE7[edge + 1];
      if (south > latE7 === north > latE7) continue;
      const lng = ringLngE7[edge];
      if (lngE7 < lng + ((latE7 - south) * (ringLngE7[edge + 1] - lng)) / (north - south)) inside = !inside;
    }
    return inside;
  }

  #enter(area: number): void {
    let [west, south, east, north] = [0x7fffffff, 0x7fffffff, -0x7fffffff, -0x7fffffff];
    const { ringLngE7, ringLatE7 } = this.#columns;
    const [from, to] = this.#pointsOf(area);
    for (let i = from; i < to; i++) {
      west = Math.min(west, ringLngE7[i]);
      east = Math.max(east, ringLngE7[i]);
      south = Math.min(south, ringLatE7[i]);
      north = Math.max(north, ringLatE7[i]);
    }
    this.#boxes.set([west, south, east, north], 4 * area);
    for (let x = Math.floor(west / squareE7); x <= Math.floor(east / squareE7); x++)
      for (let y = Math.floor(south / squareE7); y <= Math.floor(north / squareE7); y++) {
        const key = squareKey(x * squareE7, y * squareE7);
        const there = this.#squares.get(key);
        if (there === undefined) this.#squares.set(key, [area]);
        else there.push(area);
      }
  }

  #pointsOf(area: number): readonly [number, number] {
    const { areaFirstRing, ringFirst } = this.#columns;
    return [ringFirst[areaFirstRing[area]], ringFirst[areaFirstRing[area + 1]]];
  }

  #bandsOf(area: number): Bands {
    let bands = this.#bands[area];
    if (bands === undefined) {
      bands = this.#bandsFor(area);
      this.#bands[area] = bands;
    }
    return bands;
  }

  #bandsFor(area: number): Bands {
    const { areaFirstRing, ringFirst, ringLatE7 } = this.#columns;
    const [from, to] = this.#pointsOf(area);
    const south = this.#boxes[4 * area + 1];
    const north = this.#boxes[4 * area + 3];
    const count = Math.max(1, Math.ceil((to - from) / bandEdges));
    const heightE7 = Math.floor((north - south) / count) + 1;
    const first = new Uint32Array(count + 1);
    const eachBand = (use: (band: number, edge: number) => void): void => {
      for (let ring = areaFirstRing[area]; ring < areaFirstRing[area + 1]; ring++)
        for (let edge = ringFirst[ring]; edge + 1 < ringFirst[ring + 1]; edge++) {
          const [a, b] = [ringLatE7[edge] - south, ringLatE7[edge + 1] - south];
          const top = Math.floor(Math.max(a, b) / heightE7);
          for (let band = Math.floor(Math.min(a, b) / heightE7); band <= top; band++) use(band, edge);
        }
    };
    eachBand((band) => {
      first[band + 1]++;
    });
    for (let band = 0; band < count; band++) first[band + 1] += first[band];
    const edges = new Uint32Array(first[count]);
    const next = first.slice();
    eachBand((band, edge) => {
      edges[next[band]++] = edge;
    });
    return { heightE7, first, edges };
  }
}

const squareKey = (lngE7: number, latE7: number): number =>
  Math.floor(lngE7 / squareE7) * 0x2000 + Math.floor(latE7 / squareE7);
