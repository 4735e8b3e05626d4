import { arrivalAhead, inDistance, oneThenOther } from '#routing-engine/guidance/spoken-phrases.js';
import type { LegStep } from '#routing-engine/tasks/found-leg.js';
import { tenth } from './numbers.js';
import { type SpeechStyle, spokenDistance } from './spoken-distance.js';
import { asSsml, asText, withMarkedName } from './spoken-names.js';

/** As Mapbox's navigation clients read it. */
interface VoiceInstruction {
  /** Metres before the end of the step. */
  readonly distanceAlongGeometry: number;
  readonly announcement: string;
  readonly ssmlAnnouncement: string;
}

/** Seconds before a maneuver at which it is announced, and at which the instruction itself is read out. */
const EARLY_S = 30;
const NOW_S = 7;
const nowM = { least: 15, most: 250 };
const earlyM = { least: 100, most: 2_000 };
/** Between two sentences there is time to say the first. */
const PAUSE_S = 8;
/** Without a time, as of a walker. */
const USUAL_MPS = 1.4;

const speedOf = ({ distanceM, durationS }: LegStep): number =>
  durationS > 0 ? distanceM / durationS : USUAL_MPS;
const bounded = (metres: number, { least, most }: typeof nowM): number =>
  Math.min(most, Math.max(least, metres));
const nowOf = (step: LegStep): number => bounded(NOW_S * speedOf(step), nowM);

/** Metres before the maneuver at the end of a step at which a driver should know of it. */
export const earlyOf = (step: LegStep): number =>
  Math.min(step.distanceM, roundDown(bounded(EARLY_S * speedOf(step), earlyM)));
const roundDown = (metres: number): number => Math.floor(metres / 50) * 50;

/**
 * What is read out on a step: at its start the departure, then the maneuver at its end, some time before and
 * when it is to be done. One that follows at once is part of the sentence.
 */
export function voiceInstructions(
  steps: readonly LegStep[],
  at: number,
  style: SpeechStyle,
): VoiceInstruction[] {
  const [step, next] = [steps[at]!, steps[at + 1]];
  if (next === undefined) return [];
  const said = (metres: number, text: string): VoiceInstruction => ({
    distanceAlongGeometry: tenth(metres),
    announcement: asText(text),
    ssmlAnnouncement: asSsml(text),
  });
  const { distanceM } = step;
  const speed = speedOf(step);
  const [early, now] = [earlyOf(step), Math.min(distanceM, nowOf(step))];
  const instructions: VoiceInstruction[] = [];
  let spokenM = Number.POSITIVE_INFINITY;
  if (at === 0) {
    const isNear = distanceM <= now + PAUSE_S * speed;
    const departure = isNear
      ? oneThenOther(
          style.language,
          withMarkedName(step),
          aheadOf(next, style),
          spokenDistance(distanceM, style),
        )
      : withMarkedName(step);
    instructions.push(said(distanceM, departure));
    if (isNear) return instructions;
    spokenM = distanceM - PAUSE_S * speed;
  }
  if (early <= spokenM && early >= now + PAUSE_S * speed) {
    const text = inDistance(style.language, spokenDistance(early, style), aheadOf(next, style));
    instructions.push(said(early, text));
  }
  const after = steps[at + 2];
  const text =
    after !== undefined && next.distanceM <= nowOf(next) + PAUSE_S
      ? oneThenOther(style.language, withMarkedName(next), aheadOf(after, style))
      : withMarkedName(next);
  instructions.push(said(now, text));
  return instructions;
}

/** Nobody has arrived at a place that is still ahead. */
const aheadOf = (step: LegStep, { language }: SpeechStyle): string =>
  step.maneuver.type === 'arrive' ? arrivalAhead(language, step.maneuver) : withMarkedName(step);
