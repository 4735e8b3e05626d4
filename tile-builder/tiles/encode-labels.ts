import { borderOf } from '#map-data/tiles/cell-border.js';
import { NAME_HEAD_BYTES } from '#map-data/tiles/name-record.js';
import { ownsPiece } from '#map-data/tiles/piece-owner.js';
import type { VarintWriter } from '#map-data/tiles/varints.js';
import type { RoadGraph } from '../graph/road-graph.js';
import type { CompleteRoads } from './complete-roads.js';

/** The size of a cell's labels, and the tileset's numbers of its names. */
export interface CellLabels {
  readonly pieces: number;
  readonly shapePoints: number;
  readonly nameBytes: number;
  readonly names: readonly number[];
}

/** Cell-local numbers of names, in order of first use. */
export class CellNames {
  readonly #names: readonly string[];
  readonly #bytes: (Uint8Array | undefined)[] = [];
  /** By name: the last cell with it, plus one, and its number there. */
  readonly #cell: Uint32Array;
  readonly #number: Uint32Array;

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#cell = new Uint32Array(names.length);
    this.#number = new Uint32Array(names.length);
  }

  /** Number of a name in the cell, with the names so far in `used`; 0 is the empty one. */
  numberIn(cell: number, name: number, used: number[]): number {
    if (name === 0) return 0;
    if (this.#cell[name] !== cell + 1) {
      this.#cell[name] = cell + 1;
      this.#number[name] = used.push(name);
    }
    return this.#number[name];
  }

  bytesOf(name: number): Uint8Array {
    const known = this.#bytes[name];
    if (known !== undefined) return known;
    const bytes = Buffer.from(this.#names[name]);
    this.#bytes[name] = bytes;
    return bytes;
  }
}

/** Names, shapes and OpenStreetMap ids of one cell. */
export function encodeLabels(
  graph: RoadGraph,
  { arrays }: CompleteRoads,
  cellNames: CellNames,
  cell: number,
  out: VarintWriter,
): CellLabels {
  const { pieces, nodes, piece } = graph;
  const { cellFirstNode, cellFirstEdge, tail, head, flags, copyOf, reverse } = arrays;
  const firstEdge = cellFirstEdge[cell];
  const endEdge = cellFirstEdge[cell + 1];
  /** Pieces that the cell stores, and for each the node from which its shape is stored. */
  const owners: number[] = [];
  const starts: number[] = [];
  /** Roads that begin here and are stored in the cell that they lead to. */
  const foreign: number[] = [];
  for (let edge = firstEdge; edge < endEdge; edge++) {
    if (copyOf[edge] !== edge) continue;
    if (ownsPiece(flags[edge], reverse[edge])) {
      owners.push(piece[edge]);
      starts.push(nodes[tail[edge]]);
    } else if (reverse[edge] < firstEdge || reverse[edge] >= endEdge) foreign.push(piece[edge]);
  }
  const labelled = owners.concat(foreign);

  const names: number[] = [];
  const numbers: number[] = [];
  for (let i = 0; i < labelled.length; i++)
    numbers.push(cellNames.numberIn(cell, pieces.name[labelled[i]], names));
  for (let i = 0; i < labelled.length; i++)
    numbers.push(cellNames.numberIn(cell, pieces.ref[labelled[i]], names));
  for (let i = 0; i < owners.length; i++)
    numbers.push(cellNames.numberIn(cell, pieces.sign[owners[i]], names));
  out.unsigned(names.length);
  let nameBytes = 0;
  for (const name of names) {
    const bytes = cellNames.bytesOf(name);
    out.text(bytes);
    nameBytes += NAME_HEAD_BYTES + bytes.length;
  }

  let lastId = 0;
  const writeId = (node: number): void => {
    const id = pieces.nodeOsmId[nodes[node]];
    out.signed(id - lastId);
    lastId = id;
  };
  for (let node = cellFirstNode[cell]; node < cellFirstNode[cell + 1]; node++) writeId(node);
  for (const edge of borderOf(arrays, cell).exits) writeId(head[edge]);
  let lastWay = 0;
  for (let i = 0; i < labelled.length; i++) {
    const way = pieces.wayId[labelled[i]];
    out.signed(way - lastWay);
    lastWay = way;
  }
  for (let i = 0; i < labelled.length; i++) out.unsigned(pieces.ordinal[labelled[i]]);
  for (let i = 0; i < numbers.length; i++) out.unsigned(numbers[i]);
  const { firstShape, shapeLngE7, shapeLatE7 } = pieces;
  let shapePoints = 0;
  for (let i = 0; i < owners.length; i++) {
    const points = firstShape[owners[i] + 1] - firstShape[owners[i]];
    out.unsigned(points);
    shapePoints += points;
  }
  for (let i = 0; i < owners.length; i++) {
    const own = owners[i];
    let lng = pieces.nodeLngE7[starts[i]];
    let lat = pieces.nodeLatE7[starts[i]];
    for (let point = firstShape[own]; point < firstShape[own + 1]; point++) {
      out.signed(shapeLngE7[point] - lng);
      out.signed(shapeLatE7[point] - lat);
      lng = shapeLngE7[point];
      lat = shapeLatE7[point];
    }
  }
  return { pieces: owners.length, shapePoints, nameBytes, names };
}
