import type { BuilderProgress } from '#map-data/release/builder-progress.js';
import { byName, ChangesMissing, numberInSeries } from './list-changes.js';

export interface WaitingChanges {
  /** In the order in which they must be applied. */
  readonly names: readonly string[];
  /** Why not all can be applied: one of a series is missing. */
  readonly fault: ChangesMissing | undefined;
}

/**
 * The change files after the last applied one, up to the first gap of a numbered series. Throws
 * `ChangesMissing` if one belongs before it.
 */
export function waitingChanges(all: readonly string[], { files, last }: BuilderProgress): WaitingChanges {
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
