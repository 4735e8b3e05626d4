import { edgeFlag } from '#routing-engine/edge-flags.js';
import { edgeKph, type RoadGraph } from '../graph/road-graph.js';
import { VarintWriter } from './varints.js';

/** What cells need to know of each other, made once for all tiles. */
export interface CellFrame {
  /** [cells+1] first node. */
  readonly firstNode: Uint32Array;
  readonly cellOf: Uint32Array;
  /** By cell: cells that a road leads to or comes from, ascending. */
  readonly adjacent: readonly (readonly number[])[];
  /** [E] position among the in-edges of its head, which are ordered by number. */
  readonly inRank: Uint32Array;
}

export function frameCells(graph: RoadGraph): CellFrame {
  const firstNode = graph.partition.levels[0];
  const cellCount = firstNode.length - 1;
  const cellOf = new Uint32Array(graph.nodes.length);
  for (let cell = 0; cell < cellCount; cell++) cellOf.fill(cell, firstNode[cell], firstNode[cell + 1]);
  const adjacent = Array.from({ length: cellCount }, () => new Set<number>());
  const inRank = new Uint32Array(graph.head.length);
  const arrived = new Uint32Array(graph.nodes.length);
  for (let edge = 0; edge < graph.head.length; edge++) {
    const tail = cellOf[graph.tail[edge]];
    const head = cellOf[graph.head[edge]];
    if (tail !== head) {
      adjacent[tail].add(head);
      adjacent[head].add(tail);
    }
    inRank[edge] = arrived[graph.head[edge]]++;
  }
  return {
    firstNode,
    cellOf,
    adjacent: adjacent.map((cells) => [...cells].sort((a, b) => a - b)),
    inRank,
  };
}

/**
 * An edge whose opposite direction comes before it in the same cell takes length and bearings from there.
 */
export const mirrors = (edge: number, reverse: number, cellFirstEdge: number): boolean =>
  reverse >= cellFirstEdge && reverse < edge;

/** Topology of one cell of level 0; layout in `docs/formats/routing-tile.md`. */
export function encodeRoadTile(graph: RoadGraph, frame: CellFrame, cell: number): Uint8Array {
  const { pieces, nodes, firstOut, head, piece, flags, reverse, copyOf, bearingOut, bearingIn } = graph;
  const out = new VarintWriter();
  const first = frame.firstNode[cell];
  const end = frame.firstNode[cell + 1];
  const firstEdge = firstOut[first];
  const endEdge = firstOut[end];
  const adjacent = frame.adjacent[cell];
  out.unsigned(adjacent.length);
  let last = 0;
  for (const other of adjacent) {
    out.unsigned(other - last);
    last = other;
  }
  out.unsigned(end - first);
  out.unsigned(endEdge - firstEdge);

  let lastLng = 0;
  let lastLat = 0;
  for (let node = first; node < end; node++) {
    const lng = pieces.nodeLngE7[nodes[node]];
    const lat = pieces.nodeLatE7[nodes[node]];
    out.signed(lng - lastLng);
    out.signed(lat - lastLat);
    lastLng = lng;
    lastLat = lat;
  }
  for (let node = first; node < end; node++) out.unsigned(pieces.nodeFlags[nodes[node]]);
  for (let node = first; node < end; node++) out.unsigned(firstOut[node + 1] - firstOut[node]);

  const kinds = new Map<string, number>();
  const kindOf: number[] = [];
  const kindRows: (readonly number[])[] = [];
  for (let edge = firstEdge; edge < endEdge; edge++) {
    const row = [
      flags[edge],
      pieces.readings[pieces.reading[piece[edge]]].roadClass,
      edgeKph(graph, edge, 0),
      edgeKph(graph, edge, 1),
      edgeKph(graph, edge, 2),
    ];
    const key = row.join();
    let kind = kinds.get(key);
    if (kind === undefined) {
      kind = kindRows.push(row) - 1;
      kinds.set(key, kind);
    }
    kindOf.push(kind);
  }
  out.unsigned(kindRows.length);
  for (const row of kindRows) for (const value of row) out.unsigned(value);
  for (const kind of kindOf) out.unsigned(kind);

  for (let edge = firstEdge; edge < endEdge; edge++) {
    const headCell = frame.cellOf[head[edge]];
    out.unsigned(headCell === cell ? 0 : 1 + adjacent.indexOf(headCell));
  }
  for (let edge = firstEdge; edge < endEdge; edge++) {
    const headCell = frame.cellOf[head[edge]];
    if (headCell === cell) out.signed(head[edge] - graph.tail[edge]);
    else out.unsigned(head[edge] - frame.firstNode[headCell]);
  }
  for (let edge = firstEdge; edge < endEdge; edge++)
    out.unsigned(reverse[edge] < 0 ? 0 : 1 + reverse[edge] - firstOut[head[edge]]);
  for (let edge = firstEdge; edge < endEdge; edge++)
    if ((flags[edge] & edgeFlag.copy) !== 0) out.unsigned(copyOf[edge] - firstOut[graph.tail[edge]]);
  for (let edge = firstEdge; edge < endEdge; edge++)
    if (!mirrors(edge, reverse[edge], firstEdge)) out.unsigned(pieces.lengthCm[piece[edge]]);
  for (let edge = firstEdge; edge < endEdge; edge++) {
    if (mirrors(edge, reverse[edge], firstEdge)) continue;
    out.unsignedByte(bearingOut[edge]);
    out.unsignedByte(bearingIn[edge]);
  }

  const turns: number[] = [];
  for (let i = 0; i < graph.forbidden.length; i += 3) {
    const node = graph.tail[graph.forbidden[i + 1]];
    if (node >= first && node < end) turns.push(i);
  }
  out.unsigned(turns.length);
  for (const i of turns) {
    const to = graph.forbidden[i + 1];
    out.unsigned(graph.tail[to] - first);
    out.unsigned(frame.inRank[graph.forbidden[i]]);
    out.unsigned(to - firstOut[graph.tail[to]]);
    out.unsigned(graph.forbidden[i + 2]);
  }
  return out.bytes();
}
