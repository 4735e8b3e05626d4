import { binsPerWeek, type EdgeWeekBytes, ratioByte } from '#routing-engine/network/typical-week.js';
import type { EdgeWeek } from './edge-week.js';

const binsPerDay = 48;
/** Weights of the fallbacks of a bin, in the units of `EdgeWeek`. */
const edgeGuess = 25;
const dayGuess = 50;
const binGuess = 40;
/** For an edge with hardly any passages: roads take a little longer than the map says. */
const edgeRatio = 1.15;

/** Monday to Friday, Saturday, Sunday. */
const kindOfDay = (bin: number): number => Math.max(0, Math.floor(bin / binsPerDay) - 4);

/**
 * A figure for each half-hour of each edge. Few edges are driven in every bin, so each bin is combined with
 * the same half-hour of days of its kind, that of the edge as a whole and the city's daily course, and the
 * edge with all edges: the more data, the smaller their weight. Edges without a day with `driversMin`
 * distinct drivers are left out.
 */
export function resolveWeeks(
  weeks: ReadonlyMap<string, EdgeWeek>,
  driversMin: number,
): readonly EdgeWeekBytes[] {
  const means = new Map([...weeks].map(([id, week]) => [id, meanOf(week)]));
  const city = cityDays(weeks, means);
  const resolved: EdgeWeekBytes[] = [];
  for (const [edgeId, week] of weeks) {
    if (week.driversOfADay < driversMin) continue;
    const mean = means.get(edgeId)!;
    const days = smooth(dayKinds(week, (kind) => mean * city[kind]!, dayGuess));
    const ratios = new Uint8Array(binsPerWeek);
    for (let bin = 0; bin < binsPerWeek; bin++) {
      const weight = week.weights[bin]!;
      const guess = days[kindOfDay(bin) * binsPerDay + (bin % binsPerDay)]!;
      ratios[bin] = ratioByte((weight * week.mean(bin) + binGuess * guess) / (weight + binGuess));
    }
    resolved.push({ edgeId, ratios });
  }
  // The same state gives the same bytes, whatever the order of its edges.
  return resolved.sort((a, b) => (a.edgeId < b.edgeId ? -1 : 1));
}

function meanOf(week: EdgeWeek): number {
  let sum = edgeGuess * edgeRatio;
  let total = edgeGuess;
  for (let bin = 0; bin < binsPerWeek; bin++) {
    sum += week.weights[bin]! * week.mean(bin);
    total += week.weights[bin]!;
  }
  return sum / total;
}

/** [3 kinds of day × half hours] a weighted mean of the days of a kind, with a guess behind it. */
function dayKinds(week: EdgeWeek, guess: (at: number) => number, guessWeight: number): Float64Array {
  const sums = new Float64Array(3 * binsPerDay);
  const totals = new Float64Array(3 * binsPerDay);
  for (let bin = 0; bin < binsPerWeek; bin++) {
    const at = kindOfDay(bin) * binsPerDay + (bin % binsPerDay);
    sums[at]! += week.weights[bin]! * week.mean(bin);
    totals[at]! += week.weights[bin]!;
  }
  return sums.map((sum, at) => (sum + guessWeight * guess(at)) / (totals[at]! + guessWeight));
}

/** [3 kinds of day × half-hours] by which factor all edges together are slower than their own mean. */
function cityDays(weeks: ReadonlyMap<string, EdgeWeek>, means: ReadonlyMap<string, number>): Float64Array {
  const sums = new Float64Array(3 * binsPerDay).fill(dayGuess);
  const totals = new Float64Array(3 * binsPerDay).fill(dayGuess);
  for (const [id, week] of weeks) {
    const mean = means.get(id)!;
    for (let bin = 0; bin < binsPerWeek; bin++) {
      const at = kindOfDay(bin) * binsPerDay + (bin % binsPerDay);
      sums[at]! += week.weights[bin]! * week.mean(bin);
      totals[at]! += week.weights[bin]! * mean;
    }
  }
  return smooth(sums.map((sum, at) => sum / totals[at]!));
}

/** A quarter of each adjacent bin, within the day. */
function smooth(days: Float64Array): Float64Array {
  return days.map((value, at) => {
    const isFirst = at % binsPerDay === 0;
    const isLast = at % binsPerDay === binsPerDay - 1;
    return value / 2 + (days[isFirst ? at : at - 1]! + days[isLast ? at : at + 1]!) / 4;
  });
}
