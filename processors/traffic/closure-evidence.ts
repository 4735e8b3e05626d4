import { heldMs, leastHoldMs } from './closure-hold.js';
import type { ClosureSettings } from './closure-settings.js';
import { closureText } from './closure-text.js';
import {
  type PassageRate,
  passagesPerMs,
  type SilenceFacts,
  type SilenceSettings,
  type SilenceStart,
  silenceEvidence,
  silenceText,
} from './passage-rate.js';
import { type Report, reportedNats, withReport } from './reports.js';
import { type SequentialTest, sequentialTest, verdict } from './sequential-test.js';
import { lastMissedMs } from './turn-shares.js';
import { type Witness, type WitnessWeights, walkOver, witnessOf } from './witnesses.js';

/** A detected closure while it is active. */
export interface Closure {
  /** Event time of the first evidence; makes the incident's id. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** The same of the first of the closures that expired and were found again; absent if there is none. */
  readonly beganMs?: number;
  /** It lasts so long without new evidence, at least. */
  readonly holdMs: number;
  /** When the closure expires without new evidence: no driver is guided here, so silence proves nothing. */
  readonly expiresMs: number;
  readonly text: string;
}

export interface ClosureEvidence {
  /** In the order of event time, at most one per driver: a phone that sends late proves nothing newer. */
  readonly witnesses: readonly Witness[];
  readonly closure?: Closure;
  /** User reports, one per user; they count while the edge is open. */
  readonly reports?: readonly Report[];
  /** Set when a closure expired. */
  readonly silence?: SilenceStart;
  /** First evidence of the closures that expired one after the other; absent once a driver has passed. */
  readonly beganMs?: number;
}

/** How the edge is used. */
export interface EdgeUse extends SilenceFacts {
  readonly rate: PassageRate | undefined;
  /** Remembered slots in which any driver passed, guided or not. */
  readonly seenSlots: number;
  /** Evidence of a closure in the other direction of the road, nats; absent if there is none. */
  readonly oppositeNats?: number | undefined;
  /** Set by a scan over all edges, unless more of them are silent than can be closed at once. */
  readonly silenceCounts?: boolean | undefined;
}

export type ClosureEvent =
  | { readonly kind: 'closed' | 'renewed'; readonly closure: Closure }
  | { readonly kind: 'reopened'; readonly closure: Closure };

export interface Judgement {
  readonly evidence: ClosureEvidence;
  readonly event?: ClosureEvent;
}

export const noEvidence: ClosureEvidence = { witnesses: [] };
const dayMs = 86_400_000;

/**
 * Two tests. An open edge is tested for "closed" by a sum of log likelihood ratios that never falls below
 * zero (Page's CUSUM, 1954: observations from before the closure do not delay it): guided drivers who turned
 * away, and silence where passages are due; in addition, for a part that never suffices, user reports. A
 * closed edge is tested for "open" by Wald's test, where a passage is the hit.
 */
export class ClosureJudge {
  readonly #settings: ClosureSettings;
  readonly #weights: WitnessWeights;
  readonly #opening: SequentialTest;

  constructor(settings: ClosureSettings) {
    const { leavesOpenEdge: p0, leavesClosedEdge: p1, falsePerEdgeDay, beta, reopenAlpha } = settings;
    this.#settings = settings;
    const { hit, miss } = sequentialTest({ p0, p1, alpha: falsePerEdgeDay, beta });
    this.#weights = { turned: hit, passed: miss, keptPrevious: Math.log(p1 / settings.keepsPrevious) };
    this.#opening = sequentialTest({ p0: 1 - p1, p1: 1 - p0, alpha: reopenAlpha, beta });
  }

  /**
   * One more driver reached the edge. A repeated observation of a driver changes nothing; the opposite
   * replaces it.
   */
  hear(evidence: ClosureEvidence, witness: Omit<Witness, 'counts'>, use: EdgeUse, nowMs: number): Judgement {
    const { windowMs, witnessesMax } = this.#settings;
    const { closure } = evidence;
    // Evidence from before the closure does not show whether it has ended.
    if (closure !== undefined && witness.atMs <= closure.firstMs) return { evidence };
    const fresh = evidence.witnesses.filter(({ atMs }) => atMs > nowMs - windowMs);
    if (witness.atMs <= nowMs - windowMs) return { evidence: { ...evidence, witnesses: fresh } };
    const known = fresh.find(({ driver }) => driver === witness.driver);
    const isStale =
      known !== undefined && (known.turnedAway === witness.turnedAway || witness.atMs <= known.atMs);
    if (isStale) return { evidence: { ...evidence, witnesses: fresh } };
    const counts = closure !== undefined || !witness.turnedAway || this.#isSeen(use);
    const others = fresh.filter((each) => each !== known);
    const later = others.findLastIndex(({ atMs }) => atMs <= witness.atMs) + 1;
    const witnesses = others.toSpliced(later, 0, witnessOf(witness, counts));
    const next = { ...evidence, witnesses: witnesses.slice(-witnessesMax) };
    if (closure !== undefined) return this.#tryOpening(next, closure, witness);
    return this.#tryClosing(witness.turnedAway ? next : withoutBeginning(next), use, nowMs);
  }

  /** A user reports something. An active closure ignores reports, because it depends on its drivers. */
  report(evidence: ClosureEvidence, report: Report, use: EdgeUse, nowMs: number): Judgement {
    if (evidence.closure !== undefined || report.expiresMs <= nowMs) return { evidence };
    const reports = withReport(evidence.reports ?? [], report, nowMs, this.#settings.reports);
    return this.#tryClosing({ ...evidence, reports }, use, nowMs);
  }

  /**
   * Evidence from the drivers of an edge for the other direction of its road. A closed edge adds half of what
   * is needed.
   */
  forOpposite({ witnesses, closure }: ClosureEvidence, rate: PassageRate | undefined): number {
    if (closure !== undefined) return this.#threshold(rate) / 2;
    return witnesses.length === 0 ? 0 : walkOver(witnesses, this.#weights).nats;
  }

  /** True where the silence of an open edge alone is half of what closes it, or more. */
  isSilent({ closure, silence }: ClosureEvidence, use: Omit<EdgeUse, 'seenSlots'>): boolean {
    if (closure !== undefined || use.rate === undefined) return false;
    const nats = silenceEvidence(use.rate, use, silence, this.#settings.silence);
    return nats > 0 && 2 * nats >= this.#threshold(use.rate);
  }

  /** Time has passed: a silence may have become too long, or a closure may have expired. */
  lapse(evidence: ClosureEvidence, use: EdgeUse, nowMs: number): Judgement {
    const { closure } = evidence;
    if (closure !== undefined) {
      if (nowMs < closure.expiresMs) return { evidence };
      return {
        evidence: { witnesses: [], beganMs: beginningOf(closure), silence: { atMs: nowMs } },
        event: { kind: 'reopened', closure },
      };
    }
    return this.#tryClosing(this.#withoutOld(evidence, nowMs), use, nowMs);
  }

  /** The same object if nothing in it is old. */
  #withoutOld(evidence: ClosureEvidence, nowMs: number): ClosureEvidence {
    const fromMs = nowMs - this.#settings.windowMs;
    const { witnesses, reports = [], ...rest } = evidence;
    const isOld =
      witnesses.some(({ atMs }) => atMs <= fromMs) || reports.some(({ expiresMs }) => expiresMs <= nowMs);
    if (!isOld) return evidence;
    const left = reports.filter(({ expiresMs }) => expiresMs > nowMs);
    return {
      ...rest,
      witnesses: witnesses.filter(({ atMs }) => atMs > fromMs),
      ...(left.length > 0 && { reports: left }),
    };
  }

  #tryClosing(evidence: ClosureEvidence, use: EdgeUse, nowMs: number): Judgement {
    const { rate } = use;
    const { turned, passed, nats } = walkOver(evidence.witnesses, this.#weights);
    const threshold = this.#threshold(rate);
    const silent = this.#silent(evidence, use, nats, threshold);
    const reported = this.#reported(evidence, rate, nowMs, threshold);
    // A barrier closes both directions, but a driver of this one must have met it.
    const opposite = turned.length > 0 ? (use.oppositeNats ?? 0) : 0;
    if (nats + opposite + silent.nats + reported.nats < threshold) return { evidence };
    // A passage lowers the rate and thereby the threshold, which must not close the road.
    const hasPassed = evidence.witnesses.findLast(({ counts }) => counts)?.turnedAway === false;
    if (hasPassed && silent.nats + reported.nats === 0) return { evidence };
    // What phones sent late, and a silence since, show that the road was closed, not that it still is.
    const missedMs = silent.nats > 0 ? lastMissedMs(rate!.approaches) : Number.NEGATIVE_INFINITY;
    const avoidedMs = turned.reduce((last, { atMs }) => Math.max(last, atMs), missedMs);
    const isFresh = turned.length > 0 ? avoidedMs > nowMs - this.#settings.freshMs : silent.nats > 0;
    if (!isFresh) return { evidence };
    // A closure by silence begins where the silence did, but no earlier than its evidence is kept.
    const silentFromMs = Math.max(rate?.lastMs ?? nowMs, nowMs - this.#settings.windowMs);
    const times = turned.length > 0 ? span(turned) : ([silentFromMs, nowMs] as const);
    const text = closureText({
      ...{ turned: turned.length, passed, reporters: reported.nats > 0 ? reported.users : 0 },
      ...(turned.length > 0 && { turnedMs: times[1] - times[0] }),
      isClosedOpposite: opposite > 0,
      ...(silent.nats > 1 && { silence: silenceText(rate!, use.heardMs - rate!.lastMs, silent.settings) }),
    });
    return this.#close(evidence, times, text, rate);
  }

  /**
   * Unguided drivers who usually take this exit all take others. On a road that nearly all of them take, this
   * may close it; on another, it adds to what guided drivers show.
   */
  #silent(
    { silence: start, witnesses }: ClosureEvidence,
    use: EdgeUse,
    nats: number,
    threshold: number,
  ): { readonly nats: number; readonly settings: SilenceSettings } {
    const { silence, support } = this.#settings;
    const alone = use.silenceCounts === true ? silenceEvidence(use.rate, use, start, silence) : 0;
    if (nats < support.turnedMin * this.#weights.turned) return { nats: alone, settings: silence };
    const isWitness = (driver: number): boolean => witnesses.some((each) => each.driver === driver);
    const most = support.partMax * threshold;
    let best = { nats: alone, settings: silence };
    for (const settings of [support.silence, support.habit]) {
      const added = Math.min(most, silenceEvidence(use.rate, use, start, settings, isWitness));
      if (added > best.nats) best = { nats: added, settings };
    }
    return best;
  }

  /** False where the matcher may never see a driver pass. */
  #isSeen({ lengthM, seenSlots }: EdgeUse): boolean {
    const { pieceM, piecePassagesMin } = this.#settings;
    return lengthM > pieceM || seenSlots >= piecePassagesMin;
  }

  #reported(
    { reports, witnesses }: ClosureEvidence,
    rate: PassageRate | undefined,
    nowMs: number,
    threshold: number,
  ): { readonly users: number; readonly nats: number } {
    if (reports === undefined) return { users: 0, nats: 0 };
    const passedMs = witnesses.reduce(
      (last, { turnedAway, atMs }) => (turnedAway ? last : Math.max(last, atMs)),
      rate?.lastMs ?? Number.NEGATIVE_INFINITY,
    );
    const hasSpoken = (driver: number): boolean => witnesses.some((each) => each.driver === driver);
    return reportedNats(reports, hasSpoken, passedMs, nowMs, threshold, this.#settings.reports);
  }

  /**
   * Nats at which "closed" is accepted: ln of the day's chances to be wrong over what may go wrong in a day.
   */
  #threshold(rate: PassageRate | undefined): number {
    const { falsePerEdgeDay, chancesPerDayMin } = this.#settings;
    const chances = rate === undefined ? 0 : passagesPerMs(rate) * dayMs;
    return Math.log(Math.max(chances, chancesPerDayMin) / falsePerEdgeDay);
  }

  #close(
    evidence: ClosureEvidence,
    [firstMs, lastMs]: readonly [number, number],
    text: string,
    rate: PassageRate | undefined,
  ): Judgement {
    const { witnesses, beganMs } = evidence;
    const holdMs = leastHoldMs(this.#settings, rate, lastMs - firstMs);
    const expiresMs = lastMs + heldMs(this.#settings, holdMs, lastMs - (beganMs ?? firstMs));
    const began = beganMs === undefined ? {} : { beganMs };
    const closure = { firstMs, lastMs, ...began, holdMs, expiresMs, text };
    return { evidence: { witnesses: witnesses.map(spent), closure }, event: { kind: 'closed', closure } };
  }

  #tryOpening(
    evidence: ClosureEvidence,
    closure: Closure,
    { turnedAway, atMs }: Omit<Witness, 'counts'>,
  ): Judgement {
    const { turned, passed } = counted(evidence);
    const outcome = verdict(this.#opening, passed, turned.length);
    if (outcome === 'h1') {
      const drivers = passed === 1 ? 'driver' : 'drivers';
      const reopened = { ...closure, lastMs: atMs, text: `${passed} ${drivers} passed again` };
      return {
        evidence: { witnesses: evidence.witnesses.map(spent) },
        event: { kind: 'reopened', closure: reopened },
      };
    }
    const witnesses = outcome === 'h0' ? evidence.witnesses.map(spent) : evidence.witnesses;
    if (!turnedAway) return { evidence: { ...evidence, witnesses } };
    const renewed = {
      ...closure,
      lastMs: Math.max(closure.lastMs, atMs),
      expiresMs: Math.max(
        closure.expiresMs,
        atMs + heldMs(this.#settings, closure.holdMs, atMs - beginningOf(closure)),
      ),
    };
    return {
      evidence: { ...evidence, witnesses, closure: renewed },
      event: { kind: 'renewed', closure: renewed },
    };
  }
}

function counted({ witnesses }: ClosureEvidence): { turned: readonly Witness[]; passed: number } {
  const voices = witnesses.filter(({ counts }) => counts);
  const turned = voices.filter(({ turnedAway }) => turnedAway);
  return { turned, passed: voices.length - turned.length };
}

function withoutBeginning({ beganMs: _, ...evidence }: ClosureEvidence): ClosureEvidence {
  return evidence;
}

const beginningOf = ({ firstMs, beganMs = firstMs }: Closure): number => beganMs;

function spent(witness: Witness): Witness {
  return { ...witness, counts: false };
}

function span(witnesses: readonly Witness[]): readonly [firstMs: number, lastMs: number] {
  const times = witnesses.map(({ atMs }) => atMs);
  return [Math.min(...times), Math.max(...times)];
}
