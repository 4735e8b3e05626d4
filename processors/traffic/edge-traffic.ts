import { type EdgeObservation, observationKind } from '#schemas/messages.js';
import {
  type ClosureEvent,
  type ClosureEvidence,
  type ClosureJudge,
  type EdgeUse,
  noEvidence,
} from './closure-evidence.js';
import {
  addPassage,
  type CountedPassage,
  firstPassage,
  forgetMissed,
  missPassage,
  type PassageRate,
  resumePassages,
} from './passage-rate.js';
import {
  type EdgeFacts,
  type HysteresisSettings,
  type PublishedSpeed,
  type SpeedEvent,
  speedEvent,
} from './publish-speed.js';
import type { Report } from './reports.js';
import {
  addToWindow,
  type SpeedWindow,
  speedFigure,
  type WindowSettings,
  withoutOld,
} from './speed-window.js';
import { slotOf } from './turn-shares.js';

/** The state of one edge; plain data, so that it can be stored as JSON. */
export interface EdgeTraffic {
  readonly cell: number;
  readonly window: SpeedWindow;
  readonly published?: PublishedSpeed;
  readonly rate?: PassageRate;
  readonly evidence: ClosureEvidence;
}

export interface EdgeRules {
  readonly window: WindowSettings;
  readonly hysteresis: HysteresisSettings;
  readonly judge: ClosureJudge;
  /** Passages that a rate remembers. */
  readonly ratePassages: number;
  /** An edge without a passage for this long is removed. */
  readonly forgetMs: number;
  /**
   * After this long without records, a partition discards the rates of its edges, because conditions may have
   * changed.
   */
  readonly absentMs: number;
  /**
   * Silent edges at once that count as closures, at least; more only as a share of the edges with known use.
   */
  readonly silentEdgesMax: number;
  readonly silentShareMax: number;
  /** A passage faster than this is an error of the phone. */
  readonly speedKphMax: number;
  /** A driver who turned away only this long after reaching the edge stood in a queue before it. */
  readonly stoodMs: number;
}

/** Stream time in Unix milliseconds, and the usual figures at that time. */
export interface Moment {
  /** Newest acceptance. */
  readonly nowMs: number;
  /** Newest passage of any edge. */
  readonly heardMs: number;
  /** Speed of the edge at this hour of the week; undefined where nothing is known yet. */
  readonly typicalKph?: number | undefined;
  /** The other direction of the road, where it is remembered. */
  readonly opposite?: EdgeTraffic | undefined;
  /** See `EdgeUse`. */
  readonly silenceCounts?: boolean | undefined;
}

export type ObservationOutcome = 'counted' | 'late' | 'repeated' | 'implausible';

export interface EdgeUpdate {
  readonly outcome: ObservationOutcome;
  readonly edge: EdgeTraffic;
  readonly speed?: SpeedEvent;
  readonly closure?: ClosureEvent;
}

export function untouchedEdge(cell: number): EdgeTraffic {
  return { cell, window: [], evidence: noEvidence };
}

/** One observation of the edge. */
export function observe(
  edge: EdgeTraffic,
  observation: EdgeObservation,
  facts: EdgeFacts,
  moment: Moment,
  rules: EdgeRules,
): EdgeUpdate {
  const { nowMs } = moment;
  if (observation.leftMs <= nowMs - rules.window.windowMs) return { outcome: 'late', edge };
  if (observation.kind === observationKind.turnedAway) return heard(edge, observation, facts, moment, rules);
  const metresPerMs = facts.lengthM / (observation.leftMs - observation.enteredMs);
  const isPlausible = metresPerMs > 0 && metresPerMs * 3_600 <= rules.speedKphMax;
  if (!isPlausible) return { outcome: 'implausible', edge };
  const { driver, enteredMs, leftMs } = observation;
  const window = addToWindow(edge.window, { driver, enteredMs, leftMs, metresPerMs }, rules.window);
  if (window === undefined) return { outcome: 'repeated', edge };
  const isAgain = edge.window.some((each) => each.driver === driver);
  const rate =
    isAgain && edge.rate !== undefined
      ? resumePassages(edge.rate, observation)
      : withPassage(edge, observation, rules);
  const withRate = rate === undefined ? { ...edge, window } : { ...edge, window, rate };
  const passed = heard(withRate, observation, facts, moment, rules);
  return withSpeed(passed, facts, moment, rules);
}

/** A user's report about the edge. */
export function reported(
  edge: EdgeTraffic,
  report: Report,
  facts: EdgeFacts,
  moment: Moment,
  rules: EdgeRules,
): EdgeUpdate {
  const use = useOf(edge, facts, moment, rules);
  const { evidence, event } = rules.judge.report(edge.evidence, report, use, moment.nowMs);
  return {
    outcome: 'counted',
    edge: evidence === edge.evidence ? edge : { ...edge, evidence },
    ...(event === undefined ? {} : { closure: event }),
  };
}

/** A driver passed another exit of the crossing where the edge begins. */
export function missed(edge: EdgeTraffic, passage: CountedPassage): EdgeTraffic {
  if (edge.rate === undefined) return edge;
  const rate = missPassage(edge.rate, passage);
  return rate === edge.rate ? edge : { ...edge, rate };
}

/** A driver who goes to and fro counts as one passage in each window: no single driver makes a rate. */
function withPassage(edge: EdgeTraffic, passage: EdgeObservation, rules: EdgeRules): PassageRate | undefined {
  const { rate, evidence } = edge;
  if (rate === undefined) return passage.guided === true ? undefined : firstPassage(passage);
  const wasClosed = evidence.closure !== undefined || (evidence.silence?.atMs ?? 0) >= rate.lastMs;
  return wasClosed ? resumePassages(rate, passage) : addPassage(rate, passage, rules.ratePassages);
}

/** True for an open edge that is silent where many passages are due. */
export function isSilent(
  { evidence, rate }: EdgeTraffic,
  { lengthM }: EdgeFacts,
  heardMs: number,
  rules: EdgeRules,
): boolean {
  return rules.judge.isSilent(evidence, { rate, lengthM, heardMs });
}

/**
 * Time has passed without an observation of the edge: a silence may be too long, or a closure may have
 * expired.
 */
export function sweep(edge: EdgeTraffic, facts: EdgeFacts, moment: Moment, rules: EdgeRules): EdgeUpdate {
  const { evidence, event } = rules.judge.lapse(
    edge.evidence,
    useOf(edge, facts, moment, rules),
    moment.nowMs,
  );
  const { rate } = edge;
  const isOver = event?.kind === 'reopened' && rate !== undefined;
  return {
    outcome: 'counted',
    edge:
      evidence === edge.evidence
        ? edge
        : { ...edge, evidence, ...(isOver ? { rate: forgetMissed(rate) } : {}) },
    ...(event === undefined ? {} : { closure: event }),
  };
}

/** The same for its published speed. Weights fade alike, so this moves slowly and is checked more rarely. */
export function sweepSpeed(
  edge: EdgeTraffic,
  facts: EdgeFacts,
  moment: Moment,
  rules: EdgeRules,
): EdgeUpdate {
  const window = withoutOld(edge.window, moment.nowMs, rules.window);
  const aged = window === edge.window ? edge : { ...edge, window };
  return withSpeed({ outcome: 'counted', edge: aged }, facts, moment, rules);
}

/** True if no state of the edge is needed any more. */
export function isForgettable(edge: EdgeTraffic, nowMs: number, rules: EdgeRules): boolean {
  const { window, published, rate, evidence } = edge;
  const isUnheard = evidence.witnesses.length === 0 && (evidence.reports ?? []).length === 0;
  const isQuiet = window.length === 0 && published === undefined && isUnheard;
  const hasRate = rate !== undefined && rate.lastMs > nowMs - rules.forgetMs;
  return isQuiet && evidence.closure === undefined && !hasRate;
}

function useOf(
  { rate, window }: EdgeTraffic,
  { lengthM }: EdgeFacts,
  { heardMs, silenceCounts, opposite }: Moment,
  { judge }: EdgeRules,
): EdgeUse {
  const oppositeNats = opposite === undefined ? 0 : judge.forOpposite(opposite.evidence, opposite.rate);
  return {
    rate,
    lengthM,
    heardMs,
    silenceCounts,
    oppositeNats,
    seenSlots: seenSlots(rate?.count ?? 0, window),
  };
}

/** Guided drivers are in the window only, and those of an hour ago in the rate. */
function seenSlots(counted: number, window: SpeedWindow): number {
  if (counted >= window.length) return counted;
  return Math.max(counted, new Set(window.map(({ leftMs }) => slotOf(leftMs))).size);
}

function heard(
  edge: EdgeTraffic,
  { kind, driver, enteredMs, leftMs, keptPrevious }: EdgeObservation,
  facts: EdgeFacts,
  moment: Moment,
  rules: EdgeRules,
): EdgeUpdate {
  const turnedAway = kind === observationKind.turnedAway;
  const stood = turnedAway && leftMs - enteredMs >= rules.stoodMs;
  const witness = { driver, turnedAway, stood, atMs: leftMs, ...(keptPrevious && { keptPrevious }) };
  const { evidence, event } = rules.judge.hear(
    edge.evidence,
    witness,
    useOf(edge, facts, moment, rules),
    moment.nowMs,
  );
  return {
    outcome: 'counted',
    edge: { ...edge, evidence },
    ...(event === undefined ? {} : { closure: event }),
  };
}

function withSpeed(
  update: EdgeUpdate,
  facts: EdgeFacts,
  { nowMs, typicalKph }: Moment,
  rules: EdgeRules,
): EdgeUpdate {
  const { edge } = update;
  const { published } = edge;
  const figure = speedFigure(edge.window, nowMs, rules.window, typicalKph);
  const event = speedEvent(published, figure, facts, nowMs, rules.hysteresis, typicalKph);
  const evidenceMs = edge.window.at(-1)?.leftMs ?? published?.evidenceMs ?? nowMs;
  if (event?.kind === 'cleared') {
    const { published: _, ...rest } = edge;
    return { speed: event, ...update, edge: rest };
  }
  if (event?.kind === 'speed') {
    const { kph } = event.figure;
    const live =
      event.figure.probes === 0 ? undefined : figure === undefined ? published?.live : event.figure;
    const next = { kph, evidenceMs, ...(live && { live }) };
    return { speed: event, ...update, edge: { ...edge, published: next } };
  }
  // A figure that is still valid is renewed without a record, so that it lasts as long as its evidence.
  if (published === undefined || figure === undefined) return update;
  return { ...update, edge: { ...edge, published: { ...published, evidenceMs } } };
}
