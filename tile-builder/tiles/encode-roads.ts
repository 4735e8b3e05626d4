import { edgeFlag } from '#routing-engine/edge-flags.js';
import { travelModes } from '#routing-engine/travel-mode.js';
import { borderOf } from './cell-border.js';
import { endsOnlyBit } from './piece-owner.js';
import type { VarintWriter } from './varints.js';
import type { WholeRoads } from './whole-roads.js';

/** Topology of one cell of level 0; layout in `docs/formats/routing-tile.md`. */
export function encodeRoads(
  { arrays, nodeFlags, forbidden }: WholeRoads,
  cell: number,
  out: VarintWriter,
): void {
  const { cellFirstNode, cellFirstEdge, firstOut, tail, head, flags, copyOf, reverse } = arrays;
  const { nodeLngE7, nodeLatE7, lengthCm, bearingIn, bearingOut } = arrays;
  const { exits, exitCells, entries, adjacent } = borderOf(arrays, cell);
  const first = cellFirstNode[cell];
  const end = cellFirstNode[cell + 1];
  const firstEdge = cellFirstEdge[cell];
  const endEdge = cellFirstEdge[cell + 1];
  out.unsigned(adjacent.length);
  for (const [i, other] of adjacent.entries()) out.unsigned(other - (adjacent[i - 1] ?? 0));
  out.unsigned(end - first);
  out.unsigned(endEdge - firstEdge);
  out.unsigned(entries.length);

  for (let node = first; node < end; node++) {
    out.signed(nodeLngE7[node] - (node === first ? 0 : nodeLngE7[node - 1]));
    out.signed(nodeLatE7[node] - (node === first ? 0 : nodeLatE7[node - 1]));
  }
  for (let node = first; node < end; node++) out.unsigned(nodeFlags[node]);
  for (let node = first; node < end; node++) out.unsigned(firstOut[node + 1] - firstOut[node]);

  const own = Array.from({ length: endEdge - firstEdge }, (_, i) => firstEdge + i);
  writeKinds(arrays, [own, entries], out);
  const exitIndex = new Map<number, number>([...exits.entries()].map(([i, edge]) => [edge, i]));
  const entryIndex = new Map<number, number>([...entries.entries()].map(([i, edge]) => [edge, i]));
  for (const edge of own) {
    const exit = exitIndex.get(edge);
    if (exit === undefined) out.signed(head[edge] - tail[edge]);
    else out.unsigned(head[edge] - cellFirstNode[exitCells[exit]]);
  }
  for (const edge of exits) {
    out.signed(nodeLngE7[head[edge]] - nodeLngE7[tail[edge]]);
    out.signed(nodeLatE7[head[edge]] - nodeLatE7[tail[edge]]);
  }
  for (const edge of entries) out.unsigned(head[edge] - first);
  for (const edge of own)
    if ((flags[edge] & edgeFlag.copy) !== 0) out.unsigned(copyOf[edge] - firstOut[tail[edge]]);
  for (const [i, edge] of entries.entries())
    if ((flags[edge] & edgeFlag.copy) !== 0) out.unsigned(i - entryIndex.get(copyOf[edge])!);
  for (const edge of own) {
    if (copyOf[edge] !== edge) continue;
    if (reverse[edge] < 0) out.unsigned(0);
    else if (exitIndex.has(edge)) out.unsigned(1 + entryIndex.get(reverse[edge])!);
    else out.unsigned(1 + reverse[edge] - firstOut[head[edge]]);
  }

  const isOwn = (edge: number): boolean => edge >= firstEdge && edge < endEdge;
  /** Length and directions follow from the original, or from the opposite direction. */
  const follows = (edge: number): boolean =>
    copyOf[edge] !== edge || (isOwn(reverse[edge]) && (reverse[edge] < edge || !isOwn(edge)));
  for (const edges of [own, entries])
    for (const edge of edges) if (!follows(edge)) out.unsigned(lengthCm[edge]);
  for (const edge of own) {
    if (follows(edge)) continue;
    out.unsignedByte(bearingOut[edge]);
    out.unsignedByte(bearingIn[edge]);
  }
  for (const edge of entries) if (!follows(edge)) out.unsignedByte(bearingIn[edge]);

  out.unsigned(forbidden[cell].length / 4);
  for (const number of forbidden[cell]) out.unsigned(number);
  for (const mode of travelModes.keys()) {
    writeZones(arrays, mode, first, end, [own, entries], out);
    writeParts(arrays, mode, [own, entries], out);
  }
}

type Arrays = WholeRoads['arrays'];
type EdgeLists = readonly Iterable<number>[];

function writeKinds({ flags, roadClass, speedKph, tail }: Arrays, lists: EdgeLists, out: VarintWriter): void {
  const kinds = new Map<string, number>();
  const rows: (readonly number[])[] = [];
  const kindOf: number[] = [];
  for (const edges of lists)
    for (const edge of edges) {
      const row = [
        flags[edge],
        roadClass[edge],
        speedKph[edge],
        speedKph[tail.length + edge],
        speedKph[2 * tail.length + edge],
      ];
      const key = row.join();
      let kind = kinds.get(key);
      if (kind === undefined) {
        kind = rows.push(row) - 1;
        kinds.set(key, kind);
      }
      kindOf.push(kind);
    }
  out.unsigned(rows.length);
  for (const row of rows) for (const value of row) out.unsigned(value);
  for (const kind of kindOf) out.unsigned(kind);
}

function writeZones(
  { zone, flags, tail, head }: Arrays,
  mode: number,
  first: number,
  end: number,
  lists: EdgeLists,
  out: VarintWriter,
): void {
  const row = mode * tail.length;
  const ofNode = new Uint32Array(end - first);
  for (const edges of lists)
    for (const edge of edges) {
      if ((flags[edge] & endsOnlyBit(mode)) === 0 || zone[row + edge] === 0) continue;
      for (const node of [tail[edge], head[edge]])
        if (node >= first && node < end) ofNode[node - first] = zone[row + edge];
    }
  let last = 1 + first;
  for (const number of ofNode) {
    if (number === 0) continue;
    out.signed(number - last);
    last = number;
  }
}

function writeParts(
  { part, speedKph, tail }: Arrays,
  mode: number,
  lists: EdgeLists,
  out: VarintWriter,
): void {
  const row = mode * tail.length;
  const runs: { number: number; length: number }[] = [];
  for (const edges of lists)
    for (const edge of edges) {
      if (speedKph[row + edge] === 0) continue;
      const run = runs[runs.length - 1];
      if (run?.number === part[row + edge]) run.length++;
      else runs.push({ number: part[row + edge], length: 1 });
    }
  for (const { number, length } of runs) {
    out.unsigned(length);
    out.unsigned(number);
  }
}
