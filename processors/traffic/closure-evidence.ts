import { type PassageRate, silenceToRejectMs } from './passage-rate.js';
import { type SequentialTest, sequentialTest, type Verdict, verdict } from './sequential-test.js';

/** What one driver's coming to an edge says about it. */
export interface Witness {
  readonly driver: number;
  /** False: the driver passed. */
  readonly turnedAway: boolean;
  readonly atMs: number;
  /** False: the test has been decided with it; it still keeps its driver from a second voice. */
  readonly counts: boolean;
}

/** A closure found in the stream, while it is held to be true. */
export interface Closure {
  /** Event time of the first evidence; makes the incident's id. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** Held to be over without new evidence: nobody is guided here any more, so silence proves nothing. */
  readonly expiresMs: number;
  readonly text: string;
}

export interface ClosureEvidence {
  /** In the order of arrival, at most one per driver. */
  readonly witnesses: readonly Witness[];
  readonly closure?: Closure;
  /** Closures in succession that ended by expiry and were found again: each is held twice as long. */
  readonly probes: number;
}

export interface ClosureSettings {
  /** Probability that a guided driver leaves his route at an open edge. */
  readonly leavesOpenEdge: number;
  /** Probability that a guided driver turns away from a closed one. */
  readonly leavesClosedEdge: number;
  /** Risk of closing an open edge. */
  readonly alpha: number;
  /** Risk of taking a closed edge for open, at which evidence starts from nothing again. */
  readonly beta: number;
  /** Risk of opening a closed edge by those who passed. */
  readonly reopenAlpha: number;
  /** Event time within which a driver has one voice, and after which it is forgotten. */
  readonly windowMs: number;
  readonly witnessesMax: number;
  /** Drivers who turned away, beside a silence that an open edge would hardly have. */
  readonly silenceTurnedAwayMin: number;
  /** Passages that the usual rate must rest on before a silence means anything. */
  readonly silencePassagesMin: number;
  readonly holdMs: number;
  readonly holdMaxMs: number;
}

export type ClosureNews =
  | { readonly kind: 'closed' | 'renewed'; readonly closure: Closure }
  | { readonly kind: 'reopened'; readonly closure: Closure };

export interface Judgement {
  readonly evidence: ClosureEvidence;
  readonly news?: ClosureNews;
}

export const noEvidence: ClosureEvidence = { witnesses: [], probes: 0 };

/** The two tests: an open edge is tried for "closed", a closed one for "open", where a passage is the hit. */
export class ClosureJudge {
  readonly #settings: ClosureSettings;
  readonly #closing: SequentialTest;
  readonly #opening: SequentialTest;

  constructor(settings: ClosureSettings) {
    const { leavesOpenEdge: p0, leavesClosedEdge: p1, alpha, beta, reopenAlpha } = settings;
    this.#settings = settings;
    this.#closing = sequentialTest({ p0, p1, alpha, beta });
    this.#opening = sequentialTest({ p0: 1 - p1, p1: 1 - p0, alpha: reopenAlpha, beta });
  }

  /** One more driver came to the edge. The same again from the same driver changes nothing; the opposite takes its place. */
  hear(
    evidence: ClosureEvidence,
    witness: Omit<Witness, 'counts'>,
    rate: PassageRate | undefined,
    nowMs: number,
  ): Judgement {
    const { windowMs, witnessesMax } = this.#settings;
    const { closure } = evidence;
    // What was seen before the closure began says nothing about whether it has ended.
    if (closure !== undefined && witness.atMs <= closure.firstMs) return { evidence };
    const fresh = evidence.witnesses.filter(({ atMs }) => atMs > nowMs - windowMs);
    if (witness.atMs <= nowMs - windowMs) return { evidence: { ...evidence, witnesses: fresh } };
    const known = fresh.find(({ driver }) => driver === witness.driver);
    const isOldNews =
      known !== undefined && (known.turnedAway === witness.turnedAway || witness.atMs <= known.atMs);
    if (isOldNews) return { evidence: { ...evidence, witnesses: fresh } };
    const witnesses = [...fresh.filter((each) => each !== known), { ...witness, counts: true }];
    const next = { ...evidence, witnesses: witnesses.slice(-witnessesMax) };
    return closure === undefined
      ? this.#tryClosing(next, rate, nowMs)
      : this.#tryOpening(next, closure, witness);
  }

  /** Time has passed: a silence may have become too long, a closure may have run out. */
  lapse(evidence: ClosureEvidence, rate: PassageRate | undefined, nowMs: number): Judgement {
    const { closure, probes } = evidence;
    if (closure !== undefined) {
      if (nowMs < closure.expiresMs) return { evidence };
      return { evidence: { witnesses: [], probes: probes + 1 }, news: { kind: 'reopened', closure } };
    }
    const witnesses = evidence.witnesses.filter(({ atMs }) => atMs > nowMs - this.#settings.windowMs);
    return this.#trySilence({ ...evidence, witnesses }, rate, nowMs);
  }

  #tryClosing(evidence: ClosureEvidence, rate: PassageRate | undefined, nowMs: number): Judgement {
    const { turned, passed } = counted(evidence);
    const outcome: Verdict = verdict(this.#closing, turned.length, passed);
    if (outcome === 'h0') return { evidence: { witnesses: evidence.witnesses.map(spent), probes: 0 } };
    if (outcome === 'undecided') return this.#trySilence(evidence, rate, nowMs);
    const [first, last] = span(turned);
    const who =
      passed === 0
        ? `${turned.length} of ${turned.length} guided drivers turned away`
        : `${turned.length} guided drivers turned away and ${passed} passed`;
    const text = `${who} in ${durationText(last - first)}`;
    return this.#close(evidence, turned, text);
  }

  #trySilence(evidence: ClosureEvidence, rate: PassageRate | undefined, nowMs: number): Judgement {
    const { alpha, silencePassagesMin, silenceTurnedAwayMin } = this.#settings;
    const { turned } = counted(evidence);
    if (rate === undefined || turned.length < silenceTurnedAwayMin || rate.count < silencePassagesMin)
      return { evidence };
    const silenceMs = nowMs - rate.lastMs;
    if (silenceMs < silenceToRejectMs(rate, alpha)) return { evidence };
    const usual = durationText(rate.exposureMs / rate.count);
    const text = `nobody passed for ${durationText(silenceMs)} where one in ${usual} is usual, and ${turned.length} guided drivers turned away`;
    return this.#close(evidence, turned, text);
  }

  #close(evidence: ClosureEvidence, turned: readonly Witness[], text: string): Judgement {
    const { holdMs, holdMaxMs } = this.#settings;
    const [firstMs, lastMs] = span(turned);
    const expiresMs = lastMs + Math.min(holdMaxMs, holdMs * 2 ** evidence.probes);
    const closure = { firstMs, lastMs, expiresMs, text };
    return {
      evidence: { witnesses: evidence.witnesses.map(spent), closure, probes: evidence.probes },
      news: { kind: 'closed', closure },
    };
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
        evidence: { witnesses: evidence.witnesses.map(spent), probes: 0 },
        news: { kind: 'reopened', closure: reopened },
      };
    }
    const witnesses = outcome === 'h0' ? evidence.witnesses.map(spent) : evidence.witnesses;
    if (!turnedAway) return { evidence: { ...evidence, witnesses } };
    const renewed = {
      ...closure,
      lastMs: Math.max(closure.lastMs, atMs),
      expiresMs: Math.max(closure.expiresMs, closure.expiresMs - closure.lastMs + atMs),
    };
    return {
      evidence: { ...evidence, witnesses, closure: renewed },
      news: { kind: 'renewed', closure: renewed },
    };
  }
}

function counted({ witnesses }: ClosureEvidence): { turned: readonly Witness[]; passed: number } {
  const voices = witnesses.filter(({ counts }) => counts);
  const turned = voices.filter(({ turnedAway }) => turnedAway);
  return { turned, passed: voices.length - turned.length };
}

function spent(witness: Witness): Witness {
  return { ...witness, counts: false };
}

function span(witnesses: readonly Witness[]): readonly [firstMs: number, lastMs: number] {
  const times = witnesses.map(({ atMs }) => atMs);
  return [Math.min(...times), Math.max(...times)];
}

function durationText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
