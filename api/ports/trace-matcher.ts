import type { MatchAnswer, MatchTask } from '#routing-engine/matching/match-task.js';

/** Works out traces beside the event loop. */
export type TraceMatcher = (
  task: MatchTask,
  options: { readonly signal: AbortSignal },
) => Promise<MatchAnswer>;
