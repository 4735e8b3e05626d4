import type { LatLng } from '#schemas/units.js';

/** What driving needs to know of a road edge. */
export interface DrivableRoads {
  edgeLengthM(edge: number): number;
  /** Interleaved lng, lat in degrees, from the edge's beginning to its end. */
  edgeGeometry(edge: number): ArrayLike<number>;
}

const earthRadiusM = 6_371_008.8;
const radians = Math.PI / 180;

/**
 * A place on a list of edges that moves forward. The shape of the present edge is walked in metres on a local
 * plane, which is exact enough for edges of a few kilometres.
 */
export class RouteWalker {
  readonly #roads: DrivableRoads;
  #edges: readonly number[];
  #index = 0;
  #offsetM: number;

  constructor(roads: DrivableRoads, edges: readonly number[], offsetM: number) {
    this.#roads = roads;
    this.#edges = edges;
    this.#offsetM = offsetM;
  }

  get edge(): number {
    return this.#edges[this.#index]!;
  }

  /** The edge after this one; undefined on the last. */
  get nextEdge(): number | undefined {
    return this.#edges[this.#index + 1];
  }

  get fraction(): number {
    const length = this.#roads.edgeLengthM(this.edge);
    return length > 0 ? Math.min(1, this.#offsetM / length) : 1;
  }

  get remaining(): readonly number[] {
    return this.#edges.slice(this.#index);
  }

  /** Follows other edges from the same place on the same edge on. */
  replaceAhead(edgesFromHere: readonly number[]): void {
    this.#edges = edgesFromHere;
    this.#index = 0;
  }

  /**
   * Drives for `seconds`. Calls `speedMps` on each edge, then `isRed` at its end, then `mayEnter` of the
   * next. Stops where the speed is 0, at a red signal, before an edge that may not be entered, and at the end
   * of the route.
   */
  drive(
    seconds: number,
    speedMps: (edge: number) => number,
    mayEnter: (edge: number) => boolean,
    isRed: (edge: number) => boolean = () => false,
  ): 'driving' | 'standing' | 'blocked' | 'arrived' {
    let left = seconds;
    for (;;) {
      const wanted = speedMps(this.edge);
      if (wanted <= 0) return 'standing';
      const speed = Math.max(0.5, wanted);
      const lengthM = this.#roads.edgeLengthM(this.edge);
      const toEndS = (lengthM - this.#offsetM) / speed;
      if (left < toEndS) {
        this.#offsetM += left * speed;
        return 'driving';
      }
      this.#offsetM = lengthM;
      left -= Math.max(0, toEndS);
      if (this.nextEdge === undefined) return 'arrived';
      if (isRed(this.edge)) return 'standing';
      if (!mayEnter(this.nextEdge)) return 'blocked';
      this.#index++;
      this.#offsetM = 0;
    }
  }

  /** Degrees, and degrees clockwise from north. */
  place(): LatLng & { readonly headingDeg: number } {
    const shape = this.#roads.edgeGeometry(this.edge);
    const points = shape.length / 2;
    const eastScale = Math.cos((shape[1] ?? 0) * radians);
    let total = 0;
    for (let i = 1; i < points; i++) total += segmentM(shape, i, eastScale);
    // The edge's own length and the length of its drawn shape may differ by rounding; the fraction is what
    // counts.
    let ahead = this.fraction * total;
    for (let i = 1; i < points; i++) {
      const length = segmentM(shape, i, eastScale);
      if (ahead > length && i < points - 1) {
        ahead -= length;
        continue;
      }
      const part = length > 0 ? Math.min(1, ahead / length) : 0;
      const [lngA, latA, lngB, latB] = [
        shape[2 * i - 2]!,
        shape[2 * i - 1]!,
        shape[2 * i]!,
        shape[2 * i + 1]!,
      ];
      const heading = Math.atan2((lngB - lngA) * eastScale, latB - latA) / radians;
      return {
        lat: latA + (latB - latA) * part,
        lng: lngA + (lngB - lngA) * part,
        headingDeg: (heading + 360) % 360,
      };
    }
    return { lat: shape[1]!, lng: shape[0]!, headingDeg: 0 };
  }
}

function segmentM(shape: ArrayLike<number>, i: number, eastScale: number): number {
  const east = (shape[2 * i]! - shape[2 * i - 2]!) * eastScale;
  const north = shape[2 * i + 1]! - shape[2 * i - 1]!;
  return Math.hypot(east, north) * radians * earthRadiusM;
}
