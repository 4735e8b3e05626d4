import { CellsMissing } from '../network/cells-missing.js';
import { limits } from '../network/limits.js';
import type { RoadNetwork } from '../network/road-network.js';
import { type BoxE7, cellsIn } from '../snap/snap-index.js';
import { nearestValues, Seeds } from './nearest-seeds.js';
import type { RoadLines } from './road-lines.js';
import type { RoadValues } from './road-values.js';

/** A place counts as at its nearest road up to this far away; on a coarse grid, up to this many steps. */
const BESIDE_ROAD_M = 150;
const BESIDE_ROAD_STEPS = 1.5;
const STEP_MIN_M = 10;
/** The more roads are reached, the finer is the grid: drawing costs about as much as the search. */
const VERTICES_PER_ROAD = 2 / 3;
const VERTICES_MIN = 2 ** 12;
/** Outermost vertices, which are never within an area. */
const MARGIN = 2;

/** Used by one grid after the other while it is drawn. */
const seeds = new Seeds();

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
    seeds.clear(this.width, this.height);
    this.#drawRoads(network, lines, roads);
    this.values = nearestValues(seeds, besideM / stepM);
    this.#clearMargin();
  }

  #drawRoads(network: RoadNetwork, lines: RoadLines, roads: RoadValues): void {
    const { loaded } = network.arrays;
    const box = this.#boxE7(lines);
    const cells = cellsIn(network, box);
    const missing = cells.filter((cell) => Atomics.load(loaded, cell) === 0);
    if (missing.length > 0) throw new CellsMissing(missing);
    // A road may end in another cell.
    const ends = roads.endsOf(cells);
    for (const cell of cells) {
      this.#drawEnds(network, lines, roads, cell, ends);
      this.#drawLongRoads(network, lines, roads, cell, box);
    }
  }

  /** `ends`: see `RoadValues`. */
  #drawEnds(network: RoadNetwork, lines: RoadLines, roads: RoadValues, cell: number, ends: Uint8Array): void {
    const { nodeLngE7, nodeLatE7, cellFirstNode } = network.arrays;
    const { lng0E7, lat0E7, perLng, perLat } = lines;
    const { west, south, stepM } = this;
    const bit = roads.modeBit;
    for (let node = cellFirstNode[cell]; node < cellFirstNode[cell + 1]; node++) {
      if ((ends[node] & bit) === 0) continue;
      const x = (nodeLngE7[node] - lng0E7) * perLng;
      const y = (nodeLatE7[node] - lat0E7) * perLat;
      this.#seed((x - west) / stepM, (y - south) / stepM, roads.atNodes.of(node));
    }
  }

  /** Others are at most 1.5 steps long, and drawn by their ends. */
  #drawLongRoads(
    network: RoadNetwork,
    lines: RoadLines,
    roads: RoadValues,
    cell: number,
    [westE7, southE7, eastE7, northE7]: BoxE7,
  ): void {
    const { pieceEdge, piece, cellFirstEdge, lengthCm, tail, nodeLngE7, nodeLatE7 } = network.arrays;
    const longCm = 150 * this.stepM;
    const [lngPerCm, latPerCm] = [1 / (100 * lines.perLng), 1 / (100 * lines.perLat)];
    for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++) {
      const cm = lengthCm[edge];
      if (cm <= longCm || pieceEdge[piece[edge]] !== edge) continue;
      // A road goes no farther than its length from where it begins.
      const lngE7 = nodeLngE7[tail[edge]];
      const aside = cm * lngPerCm;
      if (lngE7 + aside < westE7 || lngE7 - aside > eastE7) continue;
      const latE7 = nodeLatE7[tail[edge]];
      const along = cm * latPerCm;
      if (latE7 + along < southE7 || latE7 - along > northE7) continue;
      if (!roads.read(edge)) continue;
      lines.read(edge);
      this.#drawLine(lines, roads);
    }
  }

  /** Places about a step apart, at most 1.5, without the ends. */
  #drawLine({ x, y, run, count }: RoadLines, roads: RoadValues): void {
    const { west, south, stepM } = this;
    const total = run[count - 1];
    const parts = Math.round(total / stepM);
    for (let part = 1, point = 0, perMX = 0, perMY = 0; part < parts; part++) {
      const share = part / parts;
      const at = share * total;
      if (point === 0 || run[point] < at) {
        do point++;
        while (run[point] < at);
        const long = run[point] - run[point - 1];
        perMX = (x[point] - x[point - 1]) / long;
        perMY = (y[point] - y[point - 1]) / long;
      }
      const past = at - run[point - 1];
      const east = x[point - 1] + past * perMX;
      const north = y[point - 1] + past * perMY;
      this.#seed((east - west) / stepM, (north - south) / stepM, roads.at(share));
    }
  }

  /** A place on a road, in steps of the grid. */
  #seed(atX: number, atY: number, value: number): void {
    // As they are stored, so that the columns of the places ascend.
    const east = Math.fround(atX) + 0.5;
    const north = Math.fround(atY) + 0.5;
    if (!(east >= 0 && north >= 0 && east < this.width && north < this.height)) return;
    const column = Math.trunc(east);
    const row = Math.trunc(north);
    const { square, x, y, value: values } = seeds;
    const vertex = row * this.width + column;
    const aside = Math.fround((atX - column) * (atX - column) + (atY - row) * (atY - row));
    const before = square[vertex];
    if (aside > before || (aside === before && value >= values[vertex])) return;
    square[vertex] = aside;
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
