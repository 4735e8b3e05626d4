import type { Context } from './context.js';

/** A part of a program that may end before the program does. */
export interface Scope extends Context {
  /** Undoes what the part registered, in reverse order. Safe to call twice. */
  close(): Promise<void>;
}

/** What is registered in a scope is undone when the scope is closed, which the opener sees to. */
export function openScope(context: Context): Scope {
  const stops: ((remainingMs: number) => void | Promise<void>)[] = [];
  return {
    ...context,
    onStop: (_, stop) => void stops.push(stop),
    async close() {
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop())
        await stop(context.config.DRAIN_MS);
    },
  };
}
