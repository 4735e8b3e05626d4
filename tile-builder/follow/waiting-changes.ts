import type { Standing } from '#map-data/release/standing.js';
import { byName, ChangesMissing, numberInSeries } from './list-changes.js';

export interface WaitingChanges {
  /** In the order in which they are to be done. */
  readonly names: readonly string[];
  /** Why not all of them are there: one of a series is missing. */
  readonly fault: ChangesMissing | undefined;
}

/**
 * Of all change files those after the last that was done, up to the first gap of a numbered series. Throws
 * `ChangesMissing` when one came that belongs before it.
 */
export function waitingChanges(all: readonly string[], { files, last }: Standing): WaitingChanges {
  const isDone = (name: string): boolean => last !== '' && byName(name, last) <= 0;
  const done = all.filter(isDone);
  if (done.length > files)
    throw new ChangesMissing(
      `${done.length} change files are there up to ${last}, and ${files} were done: one came too late; ` +
        `take those away that are not done yet and name them after ${last}, ` +
        'or start with --from-scratch to do all in their order',
    );
  const names: string[] = [];
  let before = last;
  for (const name of all.slice(done.length)) {
    const [number, next] = [numberInSeries(before), numberInSeries(name)];
    if (number !== undefined && next !== undefined && next !== number + 1)
      return {
        names,
        fault: new ChangesMissing(`${name} comes after ${before}: what is between them is missing; fetch it`),
      };
    names.push(name);
    before = name;
  }
  return { names, fault: undefined };
}
