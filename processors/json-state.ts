import type { StateDefinition } from '#platform/stream/state-store.js';

/**
 * A state that is stored as JSON with the number of its layout and the tileset of its edges. A state of
 * another layout is refused, and the runner rebuilds it from the log. A state of another tileset is refused
 * too, unless it defines what is valid there.
 */
export function jsonState<State, Plain>(options: {
  readonly layout: number;
  readonly tilesetId: string;
  readonly fresh: () => State;
  readonly toPlain: (state: State) => Plain;
  readonly fromPlain: (plain: Plain) => State;
  /**
   * The part of a state of another tileset that is valid on this one; the group continues at its offset.
   * Throws if the state must be rebuilt.
   */
  readonly carryOver?: 'all' | ((plain: Plain, tilesetId: string) => State);
}): StateDefinition<State> {
  const { layout, tilesetId, fresh, toPlain, fromPlain, carryOver } = options;
  return {
    fresh,
    encode: (state) => Buffer.from(JSON.stringify({ layout, tilesetId, plain: toPlain(state) })),
    decode: (bytes) => {
      const stored = JSON.parse(Buffer.from(bytes).toString('utf8')) as {
        readonly layout: number;
        readonly tilesetId: string;
        readonly plain: Plain;
      };
      if (stored.layout !== layout)
        throw new Error(`it has layout ${stored.layout}; this program reads ${layout}`);
      if (stored.tilesetId === tilesetId || carryOver === 'all') return fromPlain(stored.plain);
      if (carryOver !== undefined) return carryOver(stored.plain, stored.tilesetId);
      throw new Error(`it belongs to the tileset ${stored.tilesetId}; this program uses ${tilesetId}`);
    },
  };
}
