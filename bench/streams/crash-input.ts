import type { Random } from '#platform/random/random.js';
import type { EdgeFacts } from '#processors/traffic/publish-speed.js';
import { type EdgeObservations, observationKind } from '#schemas/messages.js';

const startMs = 1_794_830_400_000;
const edgesPerCell = 40;
const lengthM = 120;

/** A city of crossings with four exits, all alike. */
export function crashFacts(edgeId: string): EdgeFacts | undefined {
  const edge = Number(edgeId.slice(1));
  if (!Number.isInteger(edge)) return undefined;
  const first = edge - (edge % 4);
  const others = [0, 1, 2, 3].map((exit) => `e${first + exit}`).filter((id) => id !== edgeId);
  return { lengthM, freeFlowKph: 50, others };
}

/**
 * Records as the matcher writes them, from number `from` on: drivers pass, roads are slow for a while, some
 * are closed and guided drivers turn away; one record in fifty comes late or a second time.
 */
export function crashInput(edges: number, from: number, count: number, random: Random): EdgeObservations[] {
  const records: EdgeObservations[] = [];
  for (let i = from; i < from + count; i++) {
    const atMs = startMs + i * 8;
    const minutes = Math.floor((atMs - startMs) / 240_000);
    const cell = random.below(edges / edgesPerCell);
    const seen = Array.from({ length: 1 + random.below(3) }, () => {
      const edge = cell * edgesPerCell + random.below(edgesPerCell);
      const isClosed = (edge + minutes) % 97 === 0;
      const isSlow = (edge * 7 + minutes) % 11 === 0;
      const kph = (isSlow ? 12 : 48) * (0.85 + 0.3 * random.next());
      const leftMs = atMs - random.below(4_000) - (random.below(100) === 0 ? 3_600_000 : 0);
      return {
        edgeId: `e${edge}`,
        kind: isClosed ? observationKind.turnedAway : observationKind.passed,
        enteredMs: Math.round(leftMs - (lengthM * 3_600) / kph),
        leftMs,
        driver: 1 + random.below(5_000),
        receivedMs: atMs,
      };
    });
    const record = { tilesetId: 'city', cell, observations: seen };
    records.push(record);
    if (random.below(50) === 0) records.push(record);
  }
  return records;
}
