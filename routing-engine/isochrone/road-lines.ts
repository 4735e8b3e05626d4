import { metersPerDegree, metersPerLngDegree } from '../network/earth.js';
import { edgeFlag } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';

/** Lines of roads in metres east and north of a place, on a flat map. */
export class RoadLines {
  /** Points of the last line. */
  count = 0;
  x = new Float64Array(64);
  y = new Float64Array(64);
  /** Metres from the first point. */
  run = new Float64Array(64);
  readonly lng0E7: number;
  readonly lat0E7: number;
  /** Metres per 1e-7 degrees. */
  readonly perLng: number;
  readonly perLat = metersPerDegree / 1e7;
  readonly #network: RoadNetwork;

  constructor(network: RoadNetwork, lng: number, lat: number) {
    this.#network = network;
    this.lng0E7 = lng * 1e7;
    this.lat0E7 = lat * 1e7;
    this.perLng = metersPerLngDegree(lat) / 1e7;
  }

  /** The line of an edge in its direction. */
  read(edge: number): void {
    const { piece, firstShape, shapeLngE7, shapeLatE7, nodeLngE7, nodeLatE7, tail, head, flags } =
      this.#network.arrays;
    const first = firstShape[piece[edge]];
    const inner = firstShape[piece[edge] + 1] - first;
    const against = (flags[edge] & edgeFlag.against) !== 0;
    this.count = 0;
    if (this.x.length < inner + 2) this.#grow(2 * inner + 2);
    this.#add(nodeLngE7[tail[edge]], nodeLatE7[tail[edge]]);
    for (let i = 0; i < inner; i++) {
      const shape = against ? first + inner - 1 - i : first + i;
      this.#add(shapeLngE7[shape], shapeLatE7[shape]);
    }
    this.#add(nodeLngE7[head[edge]], nodeLatE7[head[edge]]);
  }

  #add(lngE7: number, latE7: number): void {
    const at = this.count++;
    const x = (lngE7 - this.lng0E7) * this.perLng;
    const y = (latE7 - this.lat0E7) * this.perLat;
    this.run[at] = at === 0 ? 0 : this.run[at - 1] + Math.hypot(x - this.x[at - 1], y - this.y[at - 1]);
    this.x[at] = x;
    this.y[at] = y;
  }

  #grow(size: number): void {
    this.x = new Float64Array(size);
    this.y = new Float64Array(size);
    this.run = new Float64Array(size);
  }
}
