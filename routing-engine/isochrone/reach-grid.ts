import { CellsMissing } from '../network/cells-missing.js';
import { limits } from '../network/limits.js';
import type { RoadNetwork } from '../network/road-network.js';
import { type BoxE7, cellsIn } from '../snap/snap-index.js';
import { nearestValues, type Seeds } from './nearest-seeds.js';
import type { RoadLines } from './road-lines.js';
import type { RoadValues } from './road-values.js';

/** A place counts as at its nearest road up to this far away; on a coarse grid, up to this many steps. */
const BESIDE_ROAD_M = 150;
const BESIDE_ROAD_STEPS = 1.5;
const STEP_MIN_M = 10;
/** The more roads are reached, the finer is the grid: drawing costs no more than the search. */
const VERTICES_PER_ROAD = 1;
const VERTICES_MIN = 2 ** 12;
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
  readonly #seeds: Seeds;
  /** By vertex: squared steps to its place. */
  readonly #square: Float32Array;

  constructor(network: RoadNetwork, lines: RoadLines, roads: RoadValues, [west, south, east, north]: BoxM) {
    const aroundM = (stepM: number): number => Math.max(BESIDE_ROAD_M, BESIDE_ROAD_STEPS * stepM);
    let stepM = STEP_MIN_M;
    const size = (span: number): number => Math.ceil((span + 2 * aroundM(stepM)) / stepM) + 1 + 2 * MARGIN;
    const wanted = Math.max(VERTICES_MIN, VERTICES_PER_ROAD * roads.count);
    const most = Math.min(limits.isochroneVerticesMax, wanted);
    while (size(east - west) * size(north - south) > most) stepM *= 1.05;
    const besideM = aroundM(stepM);
    this.stepM = stepM;
    this.width = size(east - west);
    this.height = size(north - south);
    this.west = west - besideM - MARGIN * stepM;
    this.south = south - besideM - MARGIN * stepM;
    const vertices = this.width * this.height;
    this.#square = new Float32Array(vertices);
    this.#seeds = {
      width: this.width,
      height: this.height,
      has: new Uint8Array(vertices),
      x: new Float32Array(vertices),
      y: new Float32Array(vertices),
      value: new Float64Array(vertices),
    };
    this.#drawRoads(network, lines, roads);
    this.values = nearestValues(this.#seeds, besideM / stepM);
    this.#clearMargin();
  }

  #drawRoads(network: RoadNetwork, lines: RoadLines, roads: RoadValues): void {
    const { loaded, pieceEdge, piece, cellFirstEdge, lengthCm } = network.arrays;
    const { tail, head, nodeLngE7, nodeLatE7 } = network.arrays;
    const { lng0E7, lat0E7, perLng, perLat } = lines;
    const cells = cellsIn(network, this.#boxE7(lines));
    const missing = cells.filter((cell) => Atomics.load(loaded, cell) === 0);
    if (missing.length > 0) throw new CellsMissing(missing);
    const { west, south, stepM, width, height } = this;
    for (const cell of cells)
      for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++) {
        if (pieceEdge[piece[edge]] !== edge) continue;
        const x = ((nodeLngE7[tail[edge]] - lng0E7) * perLng - west) / stepM;
        const y = ((nodeLatE7[tail[edge]] - lat0E7) * perLat - south) / stepM;
        // A road goes no farther than its length from where it begins.
        const length = lengthCm[edge] / (100 * stepM);
        if (x + length < 0 || x - length > width || y + length < 0 || y - length > height) continue;
        if (!roads.read(edge)) continue;
        if (length > 1) {
          lines.read(edge);
          this.#drawLine(lines, roads);
        } else {
          this.#seed(x, y, roads.at(0));
          const headX = (nodeLngE7[head[edge]] - lng0E7) * perLng;
          const headY = (nodeLatE7[head[edge]] - lat0E7) * perLat;
          this.#seed((headX - west) / stepM, (headY - south) / stepM, roads.at(1));
        }
      }
  }

  /** Places a step apart, and both ends. */
  #drawLine({ x, y, run, count }: RoadLines, roads: RoadValues): void {
    const { west, south, stepM } = this;
    const total = run[count - 1];
    this.#seed((x[0] - west) / stepM, (y[0] - south) / stepM, roads.at(0));
    const parts = Math.ceil(total / stepM);
    for (let part = 1, point = 1; part < parts; part++) {
      const at = (part / parts) * total;
      while (run[point] < at) point++;
      const share = (at - run[point - 1]) / (run[point] - run[point - 1]);
      const east = x[point - 1] + share * (x[point] - x[point - 1]);
      const north = y[point - 1] + share * (y[point] - y[point - 1]);
      this.#seed((east - west) / stepM, (north - south) / stepM, roads.at(part / parts));
    }
    this.#seed((x[count - 1] - west) / stepM, (y[count - 1] - south) / stepM, roads.at(1));
  }

  /** A place on a road, in steps of the grid. */
  #seed(atX: number, atY: number, value: number): void {
    const { has, x, y, value: values } = this.#seeds;
    // As it is stored, so that the columns of the places ascend.
    const column = Math.round(Math.fround(atX));
    const row = Math.round(Math.fround(atY));
    if (column < 0 || row < 0 || column >= this.width || row >= this.height) return;
    const vertex = row * this.width + column;
    const square = Math.fround((atX - column) * (atX - column) + (atY - row) * (atY - row));
    if (has[vertex] === 1) {
      const before = this.#square[vertex];
      if (square > before || (square === before && value >= values[vertex])) return;
    }
    has[vertex] = 1;
    this.#square[vertex] = square;
    x[vertex] = atX;
    y[vertex] = atY;
    values[vertex] = value;
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
