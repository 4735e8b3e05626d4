import type { StateDefinition } from '#platform/stream/state-store.js';

/**
 * A state that is kept as JSON with the number of its layout and the tileset whose edges it names. A state of another
 * layout or tileset is refused, and the runner builds it again from the log.
 */
export function jsonState<State, Plain>(options: {
  readonly layout: number;
  readonly tilesetId: string;
  readonly fresh: () => State;
  readonly toPlain: (state: State) => Plain;
  readonly fromPlain: (plain: Plain) => State;
}): StateDefinition<State> {
  const { layout, tilesetId, fresh, toPlain, fromPlain } = options;
  return {
    fresh,
    encode: (state) => Buffer.from(JSON.stringify({ layout, tilesetId, plain: toPlain(state) })),
    decode: (bytes) => {
      const stored = JSON.parse(Buffer.from(bytes).toString('utf8')) as {
        readonly layout: number;
        readonly tilesetId: string;
        readonly plain: Plain;
      };
      if (stored.layout !== layout) throw new Error(`it has layout ${stored.layout}, we read ${layout}`);
      if (stored.tilesetId !== tilesetId)
        throw new Error(`it is of the tileset ${stored.tilesetId}, we run on ${tilesetId}`);
      return fromPlain(stored.plain);
    },
  };
}
