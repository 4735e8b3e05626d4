import { edgeFlag } from '#routing-engine/edge-flags.js';
import type { RoadGraph } from '../graph/road-graph.js';
import { VarintWriter } from './varints.js';

/**
 * An edge owns its road piece when it runs along the drawn direction, or when no edge does: its cell stores the shape
 * and the names for both directions.
 */
export const ownsPiece = (flags: number, reverse: number): boolean =>
  (flags & edgeFlag.copy) === 0 && ((flags & edgeFlag.against) === 0 || reverse < 0);

/** Names, shapes and OpenStreetMap ids of one cell; routing alone does without. */
export function encodeLabelTile(graph: RoadGraph, first: number, end: number): Uint8Array {
  const { pieces, nodes, firstOut, tail, piece, flags, reverse } = graph;
  const out = new VarintWriter();
  const owners: number[] = [];
  for (let edge = firstOut[first]; edge < firstOut[end]; edge++)
    if (ownsPiece(flags[edge], reverse[edge])) owners.push(edge);

  const numbers = new Map<string, number>([['', 0]]);
  const numberOf = (name: string): number => {
    let number = numbers.get(name);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(name, number);
    }
    return number;
  };
  const readings = owners.map((edge) => pieces.readings[pieces.reading[piece[edge]]]);
  const names = readings.map(({ name }) => numberOf(name));
  const refs = readings.map(({ ref }) => numberOf(ref));
  out.unsigned(numbers.size - 1);
  for (const name of [...numbers.keys()].slice(1)) out.text(name);

  let lastId = 0;
  for (let node = first; node < end; node++) {
    out.signed(pieces.nodeOsmId[nodes[node]] - lastId);
    lastId = pieces.nodeOsmId[nodes[node]];
  }
  out.unsigned(owners.length);
  let lastWay = 0;
  for (const edge of owners) {
    out.signed(pieces.wayId[piece[edge]] - lastWay);
    lastWay = pieces.wayId[piece[edge]];
  }
  for (const edge of owners) out.unsigned(pieces.ordinal[piece[edge]]);
  for (const name of names) out.unsigned(name);
  for (const ref of refs) out.unsigned(ref);
  for (const edge of owners)
    out.unsigned(pieces.firstShape[piece[edge] + 1] - pieces.firstShape[piece[edge]]);
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
  return out.bytes();
}
