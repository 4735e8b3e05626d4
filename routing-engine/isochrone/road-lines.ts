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
    if (this.x.length < inner + 2) this.#grow(2 * inner + 2);
    const { x, y, run, lng0E7, lat0E7, perLng, perLat } = this;
    this.count = inner + 2;
    x[0] = (nodeLngE7[tail[edge]] - lng0E7) * perLng;
    y[0] = (nodeLatE7[tail[edge]] - lat0E7) * perLat;
    for (let i = 1; i <= inner; i++) {
      const shape = against ? first + inner - i : first + i - 1;
      x[i] = (shapeLngE7[shape] - lng0E7) * perLng;
      y[i] = (shapeLatE7[shape] - lat0E7) * perLat;
    }
    x[inner + 1] = (nodeLngE7[head[edge]] - lng0E7) * perLng;
    y[inner + 1] = (nodeLatE7[head[edge]] - lat0E7) * perLat;
    run[0] = 0;
    for (let i = 1; i < inner + 2; i++) {
      const dx = x[i] - x[i - 1];
      const dy = y[i] - y[i - 1];
      run[i] = run[i - 1] + Math.sqrt(dx * dx + dy * dy);
    }
  }

  #grow(size: number): void {
    this.x = new Float64Array(size);
    this.y = new Float64Array(size);
    this.run = new Float64Array(size);
  }
}
