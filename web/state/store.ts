/** One value, replaced as a whole, with listeners that receive only the part that they selected. */
export interface Store<State> {
  get(): State;
  set(change: Partial<State>): void;
  /**
   * Calls `listener` after the picked part has changed (by `Object.is`); returns the function that
   * unsubscribes.
   */
  watch<Part>(pick: (state: State) => Part, listener: (part: Part, before: Part) => void): () => void;
}

export function createStore<State extends object>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change };
      for (const listener of listeners) listener();
    },
    watch(pick, listener) {
      let part = pick(state);
      const check = () => {
        const before = part;
        part = pick(state);
        if (!Object.is(part, before)) listener(part, before);
      };
      listeners.add(check);
      return () => listeners.delete(check);
    },
  };
}
