import type { Context } from './context.js';

/** A part of a program that may end before the program does. */
export interface Scope extends Context {
  /** Undoes the registered steps, in reverse order. Safe to call twice. */
  close(): Promise<void>;
}

/** Registered steps are undone when the scope is closed; the opener must close it. */
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
