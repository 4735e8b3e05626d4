import { CellsMissing } from '../network/cells-missing.js';
import { limits } from '../network/limits.js';
import type { RoadNetwork } from '../network/road-network.js';
import { type BoxE7, cellsIn } from '../snap/snap-index.js';
import type { RoadLines } from './road-lines.js';
import type { RoadValues } from './road-values.js';

/** A place counts as at its nearest road up to this far away; on a coarse grid, up to this many steps. */
const BESIDE_ROAD_M = 150;
const BESIDE_ROAD_STEPS = 1.5;
const STEP_MIN_M = 10;
/** Outermost vertices, which are never within an area. */
const MARGIN = 2;

/** West, south, east, north in metres from the origin of the lines. */
export type BoxM = readonly [number, number, number, number];

/**
 * Square grid over an area: what it takes to the road place nearest to each vertex. Every road of the mode
 * counts, also one that was not reached.
 */
export class ReachGrid {
  readonly stepM: number;
  readonly width: number;
  readonly height: number;
  /** Metres of the first vertex. */
  readonly west: number;
  readonly south: number;
  /** By vertex, row by row from the south; Infinity where no road is near, or it was not reached. */
  readonly values: Float64Array;
  /** By vertex: the vertex whose road place is the nearest; −1 if none is near. */
  readonly #nearest: Int32Array;
  /** Squared steps to that place. */
  readonly #square: Float32Array;
  readonly #seedX: Float32Array;
  readonly #seedY: Float32Array;

  constructor(network: RoadNetwork, lines: RoadLines, roads: RoadValues, [west, south, east, north]: BoxM) {
    const aroundM = (stepM: number): number => Math.max(BESIDE_ROAD_M, BESIDE_ROAD_STEPS * stepM);
    let stepM = STEP_MIN_M;
    const size = (span: number): number => Math.ceil((span + 2 * aroundM(stepM)) / stepM) + 1 + 2 * MARGIN;
    while (size(east - west) * size(north - south) > limits.isochroneVerticesMax) stepM *= 1.05;
    const besideM = aroundM(stepM);
    this.stepM = stepM;
    this.width = size(east - west);
    this.height = size(north - south);
    this.west = west - besideM - MARGIN * stepM;
    this.south = south - besideM - MARGIN * stepM;
    const vertices = this.width * this.height;
    this.values = new Float64Array(vertices).fill(Number.POSITIVE_INFINITY);
    this.#nearest = new Int32Array(vertices).fill(-1);
    this.#square = new Float32Array(vertices).fill((besideM / stepM) ** 2);
    this.#seedX = new Float32Array(vertices);
    this.#seedY = new Float32Array(vertices);
    this.#drawRoads(network, lines, roads);
    this.#spread();
    const seeds = this.values.slice();
    for (let vertex = 0; vertex < vertices; vertex++) {
      const nearest = this.#nearest[vertex];
      this.values[vertex] = nearest < 0 ? Number.POSITIVE_INFINITY : seeds[nearest];
    }
    this.#clearMargin();
  }

  #drawRoads(network: RoadNetwork, lines: RoadLines, roads: RoadValues): void {
    const { loaded, pieceEdge, piece } = network.arrays;
    const box = this.#boxE7(lines);
    const cells = cellsIn(network, box);
    const missing = cells.filter((cell) => Atomics.load(loaded, cell) === 0);
    if (missing.length > 0) throw new CellsMissing(missing);
    const { cellFirstEdge } = network.arrays;
    for (const cell of cells)
      for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++)
        if (pieceEdge[piece[edge]] === edge && roads.read(edge)) {
          lines.read(edge);
          this.#drawLine(lines, roads);
        }
  }

  #drawLine({ x, y, run, count }: RoadLines, roads: RoadValues): void {
    const { west, south, stepM } = this;
    const total = run[count - 1];
    for (let point = 1; point < count; point++) {
      const length = run[point] - run[point - 1];
      const parts = Math.ceil((2 * length) / stepM) || 1;
      for (let part = point === 1 ? 0 : 1; part <= parts; part++) {
        const share = part / parts;
        this.#seed(
          (x[point - 1] + share * (x[point] - x[point - 1]) - west) / stepM,
          (y[point - 1] + share * (y[point] - y[point - 1]) - south) / stepM,
          roads.at(total === 0 ? 0 : (run[point - 1] + share * length) / total),
        );
      }
    }
  }

  /** A place on a road, in steps of the grid. */
  #seed(x: number, y: number, value: number): void {
    const column = Math.round(x);
    const row = Math.round(y);
    if (column < 0 || row < 0 || column >= this.width || row >= this.height) return;
    const vertex = row * this.width + column;
    const square = Math.fround((x - column) ** 2 + (y - row) ** 2);
    const before = this.#nearest[vertex] < 0 ? Number.POSITIVE_INFINITY : this.#square[vertex];
    if (square > before || (square === before && value >= this.values[vertex])) return;
    this.#nearest[vertex] = vertex;
    this.#square[vertex] = square;
    this.#seedX[vertex] = x;
    this.#seedY[vertex] = y;
    this.values[vertex] = value;
  }

  /** Nearest places to all vertices by two passes over the grid (Danielsson 1980). */
  #spread(): void {
    const { width, height } = this;
    const [nearest, square, seedX, seedY] = [this.#nearest, this.#square, this.#seedX, this.#seedY];
    const pass = (down: boolean): void => {
      const before = down ? width : -width;
      for (let step = 1; step < height; step++) {
        const row = down ? height - 1 - step : step;
        const first = row * width;
        for (let column = 1; column < width - 1; column++)
          for (let other = -1; other <= 1; other++)
            offer(first + column, first + column + before + other, column, row);
        for (let column = 1; column < width; column++) offer(first + column, first + column - 1, column, row);
        for (let column = width - 2; column >= 0; column--)
          offer(first + column, first + column + 1, column, row);
      }
    };
    const offer = (vertex: number, neighbour: number, column: number, row: number): void => {
      const place = nearest[neighbour];
      if (place < 0 || nearest[vertex] === place) return;
      const dx = seedX[place] - column;
      const dy = seedY[place] - row;
      const away = dx * dx + dy * dy;
      if (away >= square[vertex]) return;
      square[vertex] = away;
      nearest[vertex] = place;
    };
    pass(false);
    pass(true);
  }

  /** So that every line around an area closes. */
  #clearMargin(): void {
    const { width, height, values } = this;
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++)
        if (row === 0 || column === 0 || row === height - 1 || column === width - 1)
          values[row * width + column] = Number.POSITIVE_INFINITY;
  }

  #boxE7({ lng0E7, lat0E7, perLng, perLat }: RoadLines): BoxE7 {
    const { west, south, stepM, width, height } = this;
    return [
      Math.floor(lng0E7 + west / perLng),
      Math.floor(lat0E7 + south / perLat),
      Math.ceil(lng0E7 + (west + width * stepM) / perLng),
      Math.ceil(lat0E7 + (south + height * stepM) / perLat),
    ];
  }
}
