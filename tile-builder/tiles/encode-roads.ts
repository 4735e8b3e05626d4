import { borderOf } from '#map-data/tiles/cell-border.js';
import type { VarintWriter } from '#map-data/tiles/varints.js';
import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import { modeIndex, travelModes } from '#routing-engine/network/travel-mode.js';
import type { CompleteRoads } from './complete-roads.js';
import type { LocalNumbers } from './local-numbers.js';

/** Topology of one cell of level 0; layout in `docs/formats/routing-tile.md`. */
export function encodeRoads(
  { arrays, nodeFlags, forbidden }: CompleteRoads,
  { encoded }: LocalNumbers,
  cell: number,
  out: VarintWriter,
): void {
  const { cellFirstNode, cellFirstEdge, firstOut, tail, head, flags, copyOf, reverse } = arrays;
  const { nodeLngE7, nodeLatE7, lengthCm, bearingIn, bearingOut } = arrays;
  const { exits, entries, adjacent } = borderOf(arrays, cell);
  const first = cellFirstNode[cell];
  const end = cellFirstNode[cell + 1];
  const firstEdge = cellFirstEdge[cell];
  const endEdge = cellFirstEdge[cell + 1];
  out.unsigned(adjacent.length);
  for (let i = 0; i < adjacent.length; i++) out.unsigned(adjacent[i] - (i === 0 ? 0 : adjacent[i - 1]));
  out.unsigned(end - first);
  out.unsigned(endEdge - firstEdge);
  out.unsigned(entries.length);

  let lng = 0;
  let lat = 0;
  for (let node = first; node < end; node++) {
    out.signed(nodeLngE7[node] - lng);
    out.signed(nodeLatE7[node] - lat);
    lng = nodeLngE7[node];
    lat = nodeLatE7[node];
  }
  for (let node = first; node < end; node++) out.unsigned(nodeFlags[node]);
  for (let node = first; node < end; node++) out.unsigned(firstOut[node + 1] - firstOut[node]);

  const own = new Uint32Array(endEdge - firstEdge);
  for (let i = 0; i < own.length; i++) own[i] = firstEdge + i;
  const lists = [own, entries];
  writeKinds(arrays, lists, out);
  const entryIndex = new Map<number, number>();
  for (let i = 0; i < entries.length; i++) entryIndex.set(entries[i], i);
  let exit = 0;
  for (let edge = firstEdge; edge < endEdge; edge++)
    if (exits[exit] === edge) exit++;
    else out.signed(head[edge] - tail[edge]);
  for (const edge of exits) {
    out.signed(nodeLngE7[head[edge]] - nodeLngE7[tail[edge]]);
    out.signed(nodeLatE7[head[edge]] - nodeLatE7[tail[edge]]);
  }
  for (const edge of entries) out.unsigned(head[edge] - first);
  for (let edge = firstEdge; edge < endEdge; edge++)
    if ((flags[edge] & edgeFlag.copy) !== 0) out.unsigned(copyOf[edge] - firstOut[tail[edge]]);
  for (let i = 0; i < entries.length; i++)
    if ((flags[entries[i]] & edgeFlag.copy) !== 0) out.unsigned(i - entryIndex.get(copyOf[entries[i]])!);
  exit = 0;
  for (let edge = firstEdge; edge < endEdge; edge++) {
    const leaves = exits[exit] === edge;
    if (leaves) exit++;
    if (copyOf[edge] !== edge) continue;
    if (reverse[edge] < 0) out.unsigned(0);
    else if (leaves) out.unsigned(1 + entryIndex.get(reverse[edge])!);
    else out.unsigned(1 + reverse[edge] - firstOut[head[edge]]);
  }

  /** Length and directions follow from the original, or from the opposite direction. */
  const follows = (edge: number): boolean => {
    if (copyOf[edge] !== edge) return true;
    const other = reverse[edge];
    if (other < firstEdge || other >= endEdge) return false;
    return other < edge || edge < firstEdge || edge >= endEdge;
  };
  for (const edges of lists)
    for (let i = 0; i < edges.length; i++) if (!follows(edges[i])) out.unsigned(lengthCm[edges[i]]);
  for (let edge = firstEdge; edge < endEdge; edge++) {
    if (follows(edge)) continue;
    out.unsignedByte(bearingOut[edge]);
    out.unsignedByte(bearingIn[edge]);
  }
  for (const edge of entries) if (!follows(edge)) out.unsignedByte(bearingIn[edge]);

  out.unsigned(forbidden[cell].length / 4);
  for (const number of forbidden[cell]) out.unsigned(number);
  for (let i = 0; i < encoded.length; i++) out.unsigned(encoded[i]);
}

type Arrays = CompleteRoads['arrays'];
type EdgeLists = readonly Uint32Array[];

/** Kinds in order of first use: flags, class and speeds of an edge. */
function writeKinds({ flags, roadClass, speedKph, tail }: Arrays, lists: EdgeLists, out: VarintWriter): void {
  const edgeCount = tail.length;
  const kinds: number[] = [];
  /** The speeds that have no place in the number of the kind. */
  const truckKph: number[] = [];
  const examples: number[] = [];
  const kindOf: number[] = [];
  let last = -1;
  const truck = modeIndex('truck') * edgeCount;
  for (const edges of lists)
    for (let i = 0; i < edges.length; i++) {
      const edge = edges[i];
      const low = (roadClass[edge] << 16) | (speedKph[edge] << 8) | speedKph[edgeCount + edge];
      const kind = (flags[edge] * 256 + speedKph[2 * edgeCount + edge]) * 2 ** 24 + low;
      const kph = speedKph[truck + edge];
      if (kinds[last] !== kind || truckKph[last] !== kph) {
        last = kinds.indexOf(kind);
        while (last >= 0 && truckKph[last] !== kph) last = kinds.indexOf(kind, last + 1);
        if (last < 0) {
          last = kinds.push(kind) - 1;
          truckKph.push(kph);
          examples.push(edge);
        }
      }
      kindOf.push(last);
    }
  out.unsigned(examples.length);
  for (const edge of examples) {
    out.unsigned(flags[edge]);
    out.unsigned(roadClass[edge]);
    for (let mode = 0; mode < travelModes.length; mode++) out.unsigned(speedKph[mode * edgeCount + edge]);
  }
  for (let i = 0; i < kindOf.length; i++) out.unsigned(kindOf[i]);
}
