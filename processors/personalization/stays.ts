import { distanceM } from '#routing-engine/network/earth.js';
import type { LocationBatch } from '#schemas/location.js';
import { E7 } from '#schemas/units.js';
import { accuracyMMax, futureMsMax, lateMs, stayMsMin, stayRadiusM, stepMs } from './settings.js';

/** The first position of a user in a step of time. */
export type Sample = readonly [timeMs: number, latE7: number, lngE7: number];

/** Positions near one another without a break; sums, so that the mean does not depend on their order. */
interface OpenStay {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly samples: number;
  readonly latE7Sum: number;
  readonly lngE7Sum: number;
  /** The last position was elsewhere: an error of the phone, if the next is back. */
  readonly away?: Sample;
}

/** What a user did that is not decided yet. Plain data. */
export interface OpenTrace {
  /** Steps up to this one are decided. */
  readonly decidedStep: number;
  readonly newestStep: number;
  /** In the order of time, one for each step after `decidedStep`. */
  readonly samples: readonly Sample[];
  readonly stay?: OpenStay;
}

export interface Stay {
  readonly arrivedMs: number;
  readonly leftMs: number;
  readonly latE7: number;
  readonly lngE7: number;
}

/** Nothing is known. Clients send no times before 2000. */
export const newTrace: OpenTrace = { decidedStep: 0, newestStep: 0, samples: [] };

const stepOf = (timeMs: number): number => Math.floor(timeMs / stepMs);

/**
 * The trace with the points of a batch, and the stays that ended. Of each step of time the first position
 * counts, and steps are decided in order when `lateMs` has passed, so batches may come in any order within
 * that time and any number of times.
 */
export function addToTrace(
  trace: OpenTrace,
  batch: LocationBatch,
): { readonly trace: OpenTrace; readonly stays: readonly Stay[]; readonly late: number } {
  const byStep = new Map(trace.samples.map((sample) => [stepOf(sample[0]), sample]));
  let { newestStep } = trace;
  let late = 0;
  for (const sample of samplesOf(batch)) {
    const step = stepOf(sample[0]);
    if (step <= trace.decidedStep) {
      late++;
      continue;
    }
    newestStep = Math.max(newestStep, step);
    const before = byStep.get(step);
    if (before === undefined || isBefore(sample, before)) byStep.set(step, sample);
  }
  const decidedStep = Math.max(trace.decidedStep, newestStep - Math.ceil(lateMs / stepMs));
  const samples = [...byStep.values()].sort((a, b) => a[0] - b[0]);
  const stays: Stay[] = [];
  let stay = trace.stay;
  for (const sample of samples) if (stepOf(sample[0]) <= decidedStep) stay = moveOn(stay, sample, stays);
  return {
    trace: {
      decidedStep,
      newestStep,
      samples: samples.filter(([timeMs]) => stepOf(timeMs) > decidedStep),
      ...(stay && { stay }),
    },
    stays,
    late,
  };
}

function* samplesOf({ points, receivedMs }: LocationBatch): Generator<Sample> {
  for (let i = 0; i < points.count; i++) {
    const timeMs = points.timeMs[i]!;
    const accuracyM = points.accuracyM?.[i] ?? 0;
    if (accuracyM > accuracyMMax || timeMs > receivedMs + futureMsMax) continue;
    yield [timeMs, points.latE7[i]!, points.lngE7[i]!];
  }
}

/** Of two positions at one time, one is first whatever their order. */
const isBefore = (a: Sample, b: Sample): boolean =>
  a[0] !== b[0] ? a[0] < b[0] : a[1] !== b[1] ? a[1] < b[1] : a[2] < b[2];

/** The stay after one more position; an ended one is added to `ended` if it was long enough. */
function moveOn(stay: OpenStay | undefined, sample: Sample, ended: Stay[]): OpenStay {
  if (stay === undefined) return stayAt(sample);
  if (isNear(stay, sample)) {
    const [timeMs, latE7, lngE7] = sample;
    return {
      firstMs: stay.firstMs,
      lastMs: timeMs,
      samples: stay.samples + 1,
      latE7Sum: stay.latE7Sum + latE7,
      lngE7Sum: stay.lngE7Sum + lngE7,
    };
  }
  if (stay.away === undefined) return { ...stay, away: sample };
  if (stay.lastMs - stay.firstMs >= stayMsMin) {
    const [latE7, lngE7] = middleOf(stay);
    ended.push({ arrivedMs: stay.firstMs, leftMs: stay.lastMs, latE7, lngE7 });
  }
  return moveOn(stayAt(stay.away), sample, ended);
}

const stayAt = ([timeMs, latE7Sum, lngE7Sum]: Sample): OpenStay => ({
  ...{ firstMs: timeMs, lastMs: timeMs, samples: 1 },
  ...{ latE7Sum, lngE7Sum },
});

const middleOf = ({ latE7Sum, lngE7Sum, samples }: OpenStay): readonly [latE7: number, lngE7: number] => [
  Math.round(latE7Sum / samples),
  Math.round(lngE7Sum / samples),
];

function isNear(stay: OpenStay, [, latE7, lngE7]: Sample): boolean {
  const [lat, lng] = middleOf(stay);
  return distanceM(lng / E7, lat / E7, lngE7 / E7, latE7 / E7) <= stayRadiusM;
}
