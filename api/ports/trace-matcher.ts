import type { MatchAnswer, MatchTask } from '#routing-engine/matching/match-task.js';

/** Matches traces outside the event loop. */
export type TraceMatcher = (
  task: MatchTask,
  options: { readonly signal: AbortSignal },
) => Promise<MatchAnswer>;
