import type { StateDefinition } from '#platform/stream/state-store.js';
import type { EdgeTraffic } from './edge-traffic.js';
import type { Passage } from './speed-window.js';
import type { TrafficState } from './traffic-step.js';
import type { Witness } from './witnesses.js';

const layout = 5;
const headBytes = 4;
const numbersPerPassage = 4;
const numbersPerWitness = 3;

/**
 * The JSON part: everything except passages and witnesses, which are most of the state and follow as numbers.
 */
interface PlainState {
  readonly layout: number;
  readonly tilesetId: string;
  readonly streamMs: number;
  readonly heardMs: number;
  readonly edges: readonly (readonly [id: string, rest: RestOfEdge, passages: number, witnesses: number])[];
}

type RestOfEdge = Omit<EdgeTraffic, 'window' | 'evidence'> & {
  readonly evidence: Omit<EdgeTraffic['evidence'], 'witnesses'>;
};

/*
 * A state as it is stored, little-endian:
 *
 *   0             4        4 + json            next multiple of 8
 *   ┌─────────────┬────────┬─────────┬──────────────────────────────────────────────────────────────────┐
 *   │ json length │ JSON   │ padding │ f64: of each edge its passages (driver, entered, left, m/ms),    │
 *   │ u32         │        │ 0–7     │      then its witnesses (driver, at, 8 kept previous route       │
 *   │             │        │         │      + 4 counts + 2 stood + 1 turned)                            │
 *   └─────────────┴────────┴─────────┴──────────────────────────────────────────────────────────────────┘
 */

/**
 * The state of the group `traffic`. A state of another layout is refused and rebuilt from the log.
 * Observations on the roads of another tileset are discarded, because its cells and therefore its partitions
 * are different; the group continues at its offsets.
 */
export function trafficStateDefinition(tilesetId: string): StateDefinition<TrafficState> {
  return {
    fresh: () => ({ edges: new Map(), streamMs: 0, heardMs: 0 }),
    encode: (state) => encode(state, tilesetId),
    decode: (bytes) => decode(bytes, tilesetId),
  };
}

function encode({ edges, streamMs, heardMs }: TrafficState, tilesetId: string): Uint8Array {
  const plain: PlainState['edges'][number][] = [];
  let count = 0;
  for (const [id, { window, evidence, ...rest }] of edges) {
    const { witnesses, ...others } = evidence;
    plain.push([id, { ...rest, evidence: others }, window.length, witnesses.length]);
    count += window.length * numbersPerPassage + witnesses.length * numbersPerWitness;
  }
  const json = Buffer.from(
    JSON.stringify({ layout, tilesetId, streamMs, heardMs, edges: plain } satisfies PlainState),
  );
  const numbersAt = Math.ceil((headBytes + json.length) / 8) * 8;
  const bytes = new Uint8Array(numbersAt + count * 8);
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, headBytes);
  const numbers = new Float64Array(bytes.buffer, numbersAt);
  let at = 0;
  for (const { window, evidence } of edges.values()) {
    for (const { driver, enteredMs, leftMs, metresPerMs } of window) {
      numbers[at++] = driver;
      numbers[at++] = enteredMs;
      numbers[at++] = leftMs;
      numbers[at++] = metresPerMs;
    }
    for (const { driver, atMs, turnedAway, stood, keptPrevious, counts } of evidence.witnesses) {
      numbers[at++] = driver;
      numbers[at++] = atMs;
      const kept = keptPrevious === true ? 8 : 0;
      numbers[at++] = kept + (counts ? 4 : 0) + (stood ? 2 : 0) + (turnedAway ? 1 : 0);
    }
  }
  return bytes;
}

function decode(stored: Uint8Array, tilesetId: string): TrafficState {
  // Numbers must lie at multiples of eight.
  const bytes = Uint8Array.from(stored);
  const jsonBytes = new DataView(bytes.buffer).getUint32(0, true);
  const text = Buffer.from(bytes.buffer, headBytes, jsonBytes).toString('utf8');
  const plain = JSON.parse(text) as PlainState;
  if (plain.layout !== layout) throw new Error(`it has layout ${plain.layout}, we read ${layout}`);
  if (plain.tilesetId !== tilesetId)
    return { edges: new Map(), streamMs: plain.streamMs, heardMs: plain.heardMs };
  const numbers = new Float64Array(bytes.buffer, Math.ceil((headBytes + jsonBytes) / 8) * 8);
  let at = 0;
  const edges = new Map<string, EdgeTraffic>();
  for (const [id, { evidence, ...rest }, passages, voices] of plain.edges) {
    const window: Passage[] = [];
    for (let i = 0; i < passages; i++, at += numbersPerPassage)
      window.push({
        driver: numbers[at]!,
        enteredMs: numbers[at + 1]!,
        leftMs: numbers[at + 2]!,
        metresPerMs: numbers[at + 3]!,
      });
    const witnesses: Witness[] = [];
    for (let i = 0; i < voices; i++, at += numbersPerWitness) {
      const flags = numbers[at + 2]!;
      witnesses.push({
        driver: numbers[at]!,
        turnedAway: (flags & 1) !== 0,
        stood: (flags & 2) !== 0,
        ...((flags & 8) !== 0 && { keptPrevious: true }),
        atMs: numbers[at + 1]!,
        counts: (flags & 4) !== 0,
      });
    }
    edges.set(id, { ...rest, window, evidence: { ...evidence, witnesses } });
  }
  return { edges, streamMs: plain.streamMs, heardMs: plain.heardMs };
}
