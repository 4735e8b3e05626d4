import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import {
  type EdgeObservation,
  type EdgeObservations,
  type IncidentChanged,
  incidentKind,
  incidentSource,
  observationKind,
} from '#schemas/messages.js';
import type { HiddenClosure } from '#simulated-city/world.js';

export interface FoundClosure {
  readonly edge: number;
  readonly atMs: number;
  readonly evidence: string;
  /** The hidden closure that it is, or that it is beside. */
  readonly truth: HiddenClosure | undefined;
  /** Its edge ends a few metres before the closed one: points are no more exact than that. */
  readonly isBeside: boolean;
  /** From when the hidden closure opened until it was no longer listed; below zero if that was before. */
  unlistedAfterMs?: number;
}

export interface HiddenAndFound {
  readonly closure: HiddenClosure;
  /** Observed passages of its edges in the ten minutes before. */
  readonly perMinute: number;
  /** Drivers who turned back at it until it was found, at most in `foundWithinMs`. */
  turnedBack: number;
  foundAfterMs?: number;
  /**
   * What the platform received about its edges meanwhile: a driver who passed or turned away, guided or not,
   * at this many seconds after it closed. A passage is an error of matching, or was made before.
   */
  readonly seen: string[];
}

const minuteMs = 60_000;
/** A closure must be found within this. */
export const foundWithinMs = 5 * minuteMs;
/** A closure that has just ended may still be found: its evidence is in flight. */
const afterwardsMs = minuteMs;
/** Longest edge before a closed one that is taken for it: phones are wrong by four metres and more. */
const besideM = 25;

/** Compares the closures that the platform lists with those of the simulated city. */
export class ClosureCheck {
  readonly found: FoundClosure[] = [];
  readonly hidden: HiddenAndFound[] = [];
  readonly #network: RoadNetwork;
  readonly #open = new Map<string, FoundClosure>();
  readonly #passages = new Map<number, number[]>();

  constructor(network: RoadNetwork) {
    this.#network = network;
  }

  get observedEdges(): number {
    return this.#passages.size;
  }

  /** A record of an incident. */
  hear({ incidentId, kind, source, active, edgeIds, evidence }: IncidentChanged, nowMs: number): void {
    if (kind !== incidentKind.closed || source !== incidentSource.detected) return;
    if (!active) {
      const before = this.#open.get(incidentId);
      if (before?.truth !== undefined) before.unlistedAfterMs = nowMs - before.truth.opensMs;
      this.#open.delete(incidentId);
      return;
    }
    if (this.#open.has(incidentId)) return;
    const edge = this.#network.edgeByStableId(edgeIds[0]!)!;
    const itself = this.#closedAt(nowMs, (closed) => closed === edge);
    const truth = itself ?? this.#closedAt(nowMs, (closed) => this.#isBefore(edge, closed));
    const one = this.hidden.find(({ closure }) => closure === itself);
    if (one !== undefined && one.foundAfterMs === undefined) one.foundAfterMs = nowMs - one.closure.closedMs;
    const isBeside = itself === undefined && truth !== undefined;
    const found = { edge, atMs: nowMs, evidence, truth, isBeside };
    this.#open.set(incidentId, found);
    this.found.push(found);
  }

  /** What the platform has seen of the drivers. */
  observe({ observations }: EdgeObservations): void {
    for (const observation of observations) {
      const { kind, edgeId, leftMs } = observation;
      const edge = this.#network.edgeByStableId(edgeId)!;
      this.#note(edge, observation);
      if (kind !== observationKind.passed) continue;
      const times = this.#passages.get(edge) ?? [];
      times.push(leftMs);
      this.#passages.set(edge, times);
    }
  }

  #note(edge: number, { kind, guided, leftMs, receivedMs }: EdgeObservation): void {
    if (kind === observationKind.turnedRound) return;
    const one = this.hidden.findLast(({ closure }) => closure.edges.includes(edge));
    if (one === undefined || receivedMs > one.closure.closedMs + foundWithinMs) return;
    const passed = guided === true ? 'passed guided' : 'passed';
    const what = kind === observationKind.passed ? passed : 'turned away';
    one.seen.push(`${what} ${Math.round((leftMs - one.closure.closedMs) / 1_000)} s`);
  }

  /** The roads that are closed now. */
  look(closures: readonly HiddenClosure[], nowMs: number): void {
    for (const one of this.hidden)
      if (one.foundAfterMs === undefined && nowMs <= one.closure.closedMs + foundWithinMs)
        one.turnedBack = one.closure.turnedBack;
    for (const closure of closures) {
      if (this.hidden.some((each) => each.closure === closure)) continue;
      const before = closure.edges.flatMap((edge) => this.#passages.get(edge) ?? []);
      const perMinute = before.filter((atMs) => atMs > nowMs - 10 * minuteMs).length / 10;
      this.hidden.push({ closure, perMinute, turnedBack: 0, seen: [] });
    }
  }

  #closedAt(nowMs: number, holds: (edge: number) => boolean): HiddenClosure | undefined {
    return this.hidden.find(
      ({ closure: { edges, closedMs, opensMs } }) =>
        closedMs <= nowMs && nowMs <= opensMs + afterwardsMs && edges.some(holds),
    )?.closure;
  }

  /** The edge leads to the closed one, directly or over other short ones. */
  #isBefore(edge: number, closed: number, leftM = besideM - this.#network.edgeLengthM(edge)): boolean {
    if (leftM < 0) return false;
    const { tail, head, firstOut } = this.#network.arrays;
    const node = head[edge]!;
    if (node === tail[closed]) return true;
    for (let out = firstOut[node]!; out < firstOut[node + 1]!; out++)
      if (this.#isBefore(out, closed, leftM - Math.max(1, this.#network.edgeLengthM(out)))) return true;
    return false;
  }
}
