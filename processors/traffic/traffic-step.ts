import { createHash } from 'node:crypto';
import {
  type ClosureReported,
  type EdgeObservation,
  type EdgeObservations,
  type IncidentChanged,
  incidentKind,
  incidentSource,
  observationKind,
  type SegmentSpeed,
  type SegmentSpeeds,
} from '#schemas/messages.js';
import type { ClosureEvent } from './closure-evidence.js';
import {
  type EdgeRules,
  type EdgeTraffic,
  type EdgeUpdate,
  isForgettable,
  isSilent,
  type Moment,
  missed,
  type ObservationOutcome,
  observe,
  reported,
  sweep,
  sweepSpeed,
  untouchedEdge,
} from './edge-traffic.js';
import type { EdgeFacts, SpeedEvent } from './publish-speed.js';

/** The state of a partition; the caller stores it together with the offset. */
export interface TrafficState {
  readonly edges: Map<string, EdgeTraffic>;
  /** Latest acceptance seen, Unix milliseconds: the clock of this partition, and the end of its windows. */
  streamMs: number;
  /** Newest passage of any edge, Unix milliseconds. */
  heardMs: number;
}

export interface TrafficOutput {
  readonly speeds: readonly SegmentSpeeds[];
  readonly incidents: readonly IncidentChanged[];
}

export interface TrafficStepOptions {
  readonly tilesetId: string;
  /** Undefined for an edge that is not in the tileset. */
  readonly facts: (edgeId: string) => EdgeFacts | undefined;
  readonly rules: EdgeRules;
  /** Typical speed of the edge at that time, km/h; undefined if unknown. */
  readonly typicalKph?: (edgeId: string, atMs: number) => number | undefined;
  /** Interval of stream time at which edges are checked for changes by time alone. */
  readonly sweepMs: number;
  /** The same for speeds; a multiple of the other. */
  readonly sweepSpeedMs: number;
  readonly edgesMax: number;
  readonly onOutcome: (outcome: ObservationOutcome | 'reported' | 'foreign' | 'full', count: number) => void;
}

/**
 * Evaluates observations, edge by edge. Output depends only on the records and on the times given to
 * `advance`.
 */
export class TrafficStep {
  readonly #options: TrafficStepOptions;

  constructor(options: TrafficStepOptions) {
    this.#options = options;
  }

  apply(state: TrafficState, message: EdgeObservations): TrafficOutput {
    const { tilesetId, facts, rules, edgesMax, onOutcome } = this.#options;
    const { observations, cell } = message;
    if (message.tilesetId !== tilesetId) {
      onOutcome('foreign', observations.length);
      return { speeds: [], incidents: [] };
    }
    const newest = Math.max(state.streamMs, ...observations.map(({ receivedMs }) => receivedMs));
    const outputs = [this.advance(state, newest)];
    const output = new OutputBuilder(tilesetId, state.streamMs);
    for (const observation of observations) {
      const road = facts(observation.edgeId);
      const edge =
        state.edges.get(observation.edgeId) ??
        (state.edges.size < edgesMax ? untouchedEdge(cell) : undefined);
      if (road === undefined || edge === undefined) {
        onOutcome(road === undefined ? 'foreign' : 'full', 1);
        continue;
      }
      // A turn shows nothing of the edge itself, only that the other exits of the crossing were not taken.
      if (observation.kind === observationKind.turnedRound) {
        const isLate = observation.leftMs <= state.streamMs - rules.window.windowMs;
        onOutcome(isLate ? 'late' : 'counted', 1);
        if (!isLate && observation.guided !== true) this.#miss(state, road, observation);
        continue;
      }
      const isPassage = observation.kind === observationKind.passed;
      if (isPassage) this.#wakeUp(state, observation);
      if (isPassage) state.heardMs = Math.max(state.heardMs, Math.min(observation.leftMs, state.streamMs));
      const update = observe(
        edge,
        observation,
        road,
        this.#moment(state, observation.edgeId, road, state.streamMs),
        rules,
      );
      onOutcome(update.outcome, 1);
      if (isPassage && update.outcome === 'counted' && observation.guided !== true)
        this.#miss(state, road, observation);
      if (update.edge !== edge) state.edges.set(observation.edgeId, update.edge);
      output.add(observation.edgeId, update, observation.receivedMs);
    }
    outputs.push(output.build());
    return {
      speeds: outputs.flatMap(({ speeds }) => speeds),
      incidents: outputs.flatMap(({ incidents }) => incidents),
    };
  }

  /** A user says that an edge is closed or open. */
  report(state: TrafficState, message: ClosureReported): TrafficOutput {
    const { tilesetId, facts, rules, edgesMax, onOutcome } = this.#options;
    const { edgeId, cell, reporter, closed, reportedMs: atMs, expiresMs } = message;
    const road = message.tilesetId === tilesetId ? facts(edgeId) : undefined;
    const edge = state.edges.get(edgeId) ?? (state.edges.size < edgesMax ? untouchedEdge(cell) : undefined);
    if (road === undefined || edge === undefined) {
      onOutcome(road === undefined ? 'foreign' : 'full', 1);
      return { speeds: [], incidents: [] };
    }
    const passed = this.advance(state, Math.max(state.streamMs, atMs));
    const output = new OutputBuilder(tilesetId, state.streamMs);
    const moment = this.#moment(state, edgeId, road, state.streamMs);
    const now = state.edges.get(edgeId) ?? edge;
    const update = reported(now, { reporter, closed, atMs, expiresMs }, road, moment, rules);
    onOutcome('reported', 1);
    state.edges.set(edgeId, update.edge);
    output.add(edgeId, update, atMs);
    const { incidents } = output.build();
    return { speeds: passed.speeds, incidents: [...passed.incidents, ...incidents] };
  }

  #moment(state: TrafficState, edgeId: string, road: EdgeFacts, nowMs: number): Moment {
    const typicalKph = this.#options.typicalKph?.(edgeId, nowMs);
    return { nowMs, heardMs: state.heardMs, typicalKph, opposite: opposite(state, road) };
  }

  #miss(state: TrafficState, { others }: EdgeFacts, passage: EdgeObservation): void {
    for (const other of others) {
      const edge = state.edges.get(other);
      if (edge !== undefined) state.edges.set(other, missed(edge, passage));
    }
  }

  /** After a long absence of all phones, the rates are unknown. */
  #wakeUp(state: TrafficState, { leftMs }: EdgeObservation): void {
    if (
      state.heardMs === 0 ||
      Math.min(leftMs, state.streamMs) - state.heardMs <= this.#options.rules.absentMs
    )
      return;
    for (const [edgeId, { rate, ...edge }] of state.edges)
      if (rate !== undefined) state.edges.set(edgeId, edge);
  }

  /** Closures are rare. If many edges become silent together, the drivers changed, not the roads. */
  #manySilent({ edges, heardMs }: TrafficState): boolean {
    const { facts, rules } = this.#options;
    let [silent, known] = [0, 0];
    for (const [edgeId, edge] of edges) {
      if (edge.rate === undefined) continue;
      known++;
      const road = facts(edgeId);
      if (road !== undefined && isSilent(edge, road, heardMs, rules)) silent++;
    }
    return silent > Math.max(rules.silentEdgesMax, rules.silentShareMax * known);
  }

  /** Advances stream time: at each multiple of `sweepMs` every edge is checked. It never goes back. */
  advance(state: TrafficState, toMs: number): TrafficOutput {
    const { tilesetId, facts, rules, sweepMs, sweepSpeedMs } = this.#options;
    const dueMs = Math.floor(toMs / sweepMs) * sweepMs;
    const beforeMs = state.streamMs;
    const isDue = dueMs > beforeMs;
    state.streamMs = Math.max(state.streamMs, toMs);
    const output = new OutputBuilder(tilesetId, dueMs);
    if (!isDue) return output.build();
    const silenceCounts = !this.#manySilent(state);
    const isSpeedsTurn = Math.floor(dueMs / sweepSpeedMs) > Math.floor(beforeMs / sweepSpeedMs);
    for (const [edgeId, edge] of state.edges) {
      const road = facts(edgeId);
      if (road === undefined) {
        state.edges.delete(edgeId);
        continue;
      }
      const swept = sweep(
        edge,
        road,
        { nowMs: dueMs, heardMs: state.heardMs, silenceCounts, opposite: opposite(state, road) },
        rules,
      );
      output.add(edgeId, swept, dueMs);
      let now = swept.edge;
      if (isSpeedsTurn) {
        const update = sweepSpeed(now, road, this.#moment(state, edgeId, road, dueMs), rules);
        output.add(edgeId, update, dueMs);
        now = update.edge;
      }
      if (isForgettable(now, dueMs, rules)) state.edges.delete(edgeId);
      else if (now !== edge) state.edges.set(edgeId, now);
    }
    return output.build();
  }
}

const opposite = ({ edges }: TrafficState, { reverse }: EdgeFacts): EdgeTraffic | undefined =>
  reverse === undefined ? undefined : edges.get(reverse);

/** Collects the output, with one record of speeds per cell. */
class OutputBuilder {
  readonly #tilesetId: string;
  readonly #windowEndMs: number;
  readonly #segments = new Map<number, SegmentSpeed[]>();
  readonly #incidents: IncidentChanged[] = [];

  constructor(tilesetId: string, windowEndMs: number) {
    this.#tilesetId = tilesetId;
    this.#windowEndMs = windowEndMs;
  }

  add(edgeId: string, { edge, speed, closure }: EdgeUpdate, acceptedMs: number): void {
    if (closure !== undefined) this.#incidents.push(incidentOf(this.#tilesetId, edgeId, closure, acceptedMs));
    if (speed === undefined) return;
    const segments = this.#segments.get(edge.cell) ?? [];
    segments.push(segmentOf(edgeId, speed));
    this.#segments.set(edge.cell, segments);
  }

  build(): TrafficOutput {
    const { tilesetId, windowEndMs } = { tilesetId: this.#tilesetId, windowEndMs: this.#windowEndMs };
    const speeds = [...this.#segments].map(([cell, segments]) => ({
      tilesetId,
      cell,
      windowEndMs,
      segments,
    }));
    return { speeds, incidents: this.#incidents };
  }
}

function segmentOf(edgeId: string, event: SpeedEvent): SegmentSpeed {
  if (event.kind === 'cleared') return { edgeId, speedKph: 0, probes: 0, confidence: 0, cleared: true };
  const { kph, probes, confidence } = event.figure;
  return { edgeId, speedKph: kph, probes, confidence, cleared: false };
}

function incidentOf(
  tilesetId: string,
  edgeId: string,
  { kind, closure }: ClosureEvent,
  acceptedMs: number,
): IncidentChanged {
  return {
    incidentId: detectedIncidentId(tilesetId, edgeId, closure.firstMs),
    kind: incidentKind.closed,
    source: incidentSource.detected,
    active: kind !== 'reopened',
    tilesetId,
    edgeIds: [edgeId],
    speedKph: 0,
    startedMs: closure.firstMs,
    expiresMs: closure.expiresMs,
    evidence: closure.text,
    lastEvidenceMs: acceptedMs,
  };
}

/** The same edge and first evidence make the same id, so that a replay announces the same incident. */
export function detectedIncidentId(tilesetId: string, edgeId: string, firstMs: number): string {
  const digest = createHash('sha256').update(`${tilesetId}\n${edgeId}\n${firstMs}`).digest('hex');
  return `detected-${digest.slice(0, 20)}`;
}
