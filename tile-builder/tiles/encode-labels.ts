import type { RoadGraph } from '../graph/road-graph.js';
import { borderOf } from './cell-border.js';
import { NAME_HEAD_BYTES } from './name-record.js';
import { ownsPiece } from './piece-owner.js';
import type { VarintWriter } from './varints.js';
import type { WholeRoads } from './whole-roads.js';

/** Numbers of the tileset's names in the order in which cells use them; 0 is the empty one. */
export class NameNumbers {
  readonly #numbers = new Map<string, number>([['', 0]]);

  get count(): number {
    return this.#numbers.size;
  }

  numberOf(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(name, number);
    }
    return number;
  }
}

/** How much a cell fills of the columns that labels lie in. */
export interface LabelCounts {
  readonly pieces: number;
  readonly shapePoints: number;
  readonly nameBytes: number;
}

/** Names, shapes and OpenStreetMap ids of one cell. */
export function encodeLabels(
  graph: RoadGraph,
  { arrays, pieceRank }: WholeRoads,
  names: NameNumbers,
  cell: number,
  out: VarintWriter,
): LabelCounts {
  const { pieces, nodes, piece } = graph;
  const { cellFirstNode, cellFirstEdge, tail, head, flags, copyOf, reverse } = arrays;
  const originals: number[] = [];
  for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++)
    if (copyOf[edge] === edge) originals.push(edge);
  const owners = originals.filter((edge) => ownsPiece(flags[edge], reverse[edge]));
  /** Roads that begin here and are stored in the cell that they lead to. */
  const foreign = originals.filter(
    (edge) =>
      !ownsPiece(flags[edge], reverse[edge]) &&
      (reverse[edge] < cellFirstEdge[cell] || reverse[edge] >= cellFirstEdge[cell + 1]),
  );
  const labelled = [...owners, ...foreign];

  const reading = (edge: number) => pieces.readings[pieces.reading[piece[edge]]];
  const used = new Map<number, string>();
  const numberOf = (name: string): number => {
    const number = names.numberOf(name);
    if (number !== 0) used.set(number, name);
    return number;
  };
  const nameNumbers = labelled.map((edge) => numberOf(reading(edge).name));
  const refNumbers = labelled.map((edge) => numberOf(reading(edge).ref));
  const signNumbers = owners.map((edge) => numberOf(pieces.signs.get(piece[edge]) ?? ''));
  const table = [...used].sort((a, b) => a[0] - b[0]);
  const local = new Map([[0, 0], ...table.map(([number], i) => [number, i + 1] as const)]);
  out.unsigned(table.length);
  let last = 0;
  let nameBytes = 0;
  for (const [number, name] of table) {
    out.unsigned(number - last);
    last = number;
    nameBytes += NAME_HEAD_BYTES + out.text(name);
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
  for (const number of nameNumbers) out.unsigned(local.get(number)!);
  for (const number of refNumbers) out.unsigned(local.get(number)!);
  for (const number of signNumbers) out.unsigned(local.get(number)!);
  for (const edge of foreign) out.unsigned(pieceRank[piece[edge]]);
  let shapePoints = 0;
  for (const edge of owners) {
    const points = pieces.firstShape[piece[edge] + 1] - pieces.firstShape[piece[edge]];
    out.unsigned(points);
    shapePoints += points;
  }
  for (const edge of owners) {
    let lng = pieces.nodeLngE7[nodes[tail[edge]]];
    let lat = pieces.nodeLatE7[nodes[tail[edge]]];
    for (let i = pieces.firstShape[piece[edge]]; i < pieces.firstShape[piece[edge] + 1]; i++) {
      out.signed(pieces.shapeLngE7[i] - lng);
      out.signed(pieces.shapeLatE7[i] - lat);
      lng = pieces.shapeLngE7[i];
      lat = pieces.shapeLatE7[i];
    }
  }
  return { pieces: owners.length, shapePoints, nameBytes };
}
