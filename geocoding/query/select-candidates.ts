/** Entries that are scored fully. */
const candidatesMax = 300;

/** The candidates with the highest possible score; none below `least`. */
export function selectCandidates(
  entries: readonly number[],
  promise: (entry: number) => number,
  least: number,
): readonly number[] {
  const promises = Float32Array.from(entries, promise);
  let bar = least;
  if (entries.length > candidatesMax) {
    // A histogram from the top, which is faster than sorting.
    const steps = new Uint32Array(stepCount);
    for (const each of promises) if (each >= least) steps[stepOf(each, least)]++;
    let step = stepCount - 1;
    for (let above = 0; step > 0; step--) {
      above += steps[step];
      if (above >= candidatesMax) break;
    }
    bar = least + step * stepSize;
  }
  return entries.filter((_, at) => promises[at] >= bar).slice(0, 2 * candidatesMax);
}

const stepCount = 256;
const stepSize = 1 / stepCount;
const stepOf = (promise: number, least: number): number =>
  Math.min(stepCount - 1, Math.floor((promise - least) / stepSize));
