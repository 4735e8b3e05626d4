import type { RoadGraph } from '../graph/road-graph.js';
import { borderOf } from './cell-border.js';
import { NAME_HEAD_BYTES } from './name-record.js';
import { ownsPiece } from './piece-owner.js';
import type { VarintWriter } from './varints.js';
import type { WholeRoads } from './whole-roads.js';

/** How much a cell fills of the columns that labels lie in, and what its names are called in the tileset. */
export interface CellLabels {
  readonly pieces: number;
  readonly shapePoints: number;
  readonly nameBytes: number;
  readonly names: readonly number[];
}

/** Names of the graph in UTF-8, each encoded when a cell first has it. */
export class NameTexts {
  readonly #names: readonly string[];
  readonly #bytes: (Uint8Array | undefined)[] = [];
  readonly #encoder = new TextEncoder();

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  bytesOf(name: number): Uint8Array {
    const known = this.#bytes[name];
    if (known !== undefined) return known;
    const bytes = this.#encoder.encode(this.#names[name]);
    this.#bytes[name] = bytes;
    return bytes;
  }
}

/** Names, shapes and OpenStreetMap ids of one cell. */
export function encodeLabels(
  graph: RoadGraph,
  { arrays }: WholeRoads,
  texts: NameTexts,
  cell: number,
  out: VarintWriter,
): CellLabels {
  const { pieces, nodes, piece } = graph;
  const { cellFirstNode, cellFirstEdge, tail, head, flags, copyOf, reverse } = arrays;
  const firstEdge = cellFirstEdge[cell];
  const endEdge = cellFirstEdge[cell + 1];
  const owners: number[] = [];
  /** Roads that begin here and are stored in the cell that they lead to. */
  const foreign: number[] = [];
  for (let edge = firstEdge; edge < endEdge; edge++) {
    if (copyOf[edge] !== edge) continue;
    if (ownsPiece(flags[edge], reverse[edge])) owners.push(edge);
    else if (reverse[edge] < firstEdge || reverse[edge] >= endEdge) foreign.push(edge);
  }
  const labelled = [...owners, ...foreign];

  /** Numbers of the names in the order in which the cell uses them; 0 is the empty one. */
  const local = new Map([[0, 0]]);
  const localOf = (name: number): number => {
    let number = local.get(name);
    if (number === undefined) {
      number = local.size;
      local.set(name, number);
    }
    return number;
  };
  const nameNumbers = labelled.map((edge) => localOf(pieces.name[piece[edge]]));
  const refNumbers = labelled.map((edge) => localOf(pieces.ref[piece[edge]]));
  const signNumbers = owners.map((edge) => localOf(pieces.signs.get(piece[edge]) ?? 0));
  const names = [...local.keys()].slice(1);
  out.unsigned(names.length);
  let nameBytes = 0;
  for (const name of names) {
    const bytes = texts.bytesOf(name);
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
  for (const edge of labelled) {
    out.signed(pieces.wayId[piece[edge]] - lastWay);
    lastWay = pieces.wayId[piece[edge]];
  }
  for (const edge of labelled) out.unsigned(pieces.ordinal[piece[edge]]);
  for (const number of nameNumbers) out.unsigned(number);
  for (const number of refNumbers) out.unsigned(number);
  for (const number of signNumbers) out.unsigned(number);
  const { firstShape, shapeLngE7, shapeLatE7 } = pieces;
  let shapePoints = 0;
  for (const edge of owners) {
    const points = firstShape[piece[edge] + 1] - firstShape[piece[edge]];
    out.unsigned(points);
    shapePoints += points;
  }
  for (const edge of owners) {
    let lng = pieces.nodeLngE7[nodes[tail[edge]]];
    let lat = pieces.nodeLatE7[nodes[tail[edge]]];
    for (let i = firstShape[piece[edge]]; i < firstShape[piece[edge] + 1]; i++) {
      out.signed(shapeLngE7[i] - lng);
      out.signed(shapeLatE7[i] - lat);
      lng = shapeLngE7[i];
      lat = shapeLatE7[i];
    }
  }
  return { pieces: owners.length, shapePoints, nameBytes, names };
}
