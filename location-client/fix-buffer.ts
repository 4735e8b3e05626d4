import type { Fix } from './encode-upload.js';

export interface Batch {
  readonly id: string;
  readonly fixes: readonly Fix[];
}

/** Holds fixes until they are acknowledged. */
export interface FixBuffer {
  /** Adds a fix; when the buffer is full, `thin` decides which fixes are dropped. */
  add(fix: Fix, thin: (fixes: readonly Fix[]) => Fix[]): void;
  /** The oldest fixes, at most `most`; the same batch with the same id until it is acknowledged. */
  batch(most: number): Batch | undefined;
  acknowledge(id: string): void;
  readonly size: number;
}

/** The part of the Web's `Storage` that is used; `localStorage` is one. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const bufferFixesMax = 10_000;

interface State {
  open: Batch | undefined;
  fixes: Fix[];
}

const randomId = () => globalThis.crypto.randomUUID();

export function memoryBuffer(fixesMax = bufferFixesMax, newId: () => string = randomId): FixBuffer {
  return bufferOf({ open: undefined, fixes: [] }, fixesMax, newId, () => undefined);
}

/** Stored in `storage` under `key` at every change, so that a reopened page continues where it stopped. */
export function storedBuffer(
  storage: TextStorage,
  key: string,
  fixesMax = bufferFixesMax,
  newId: () => string = randomId,
): FixBuffer {
  return bufferOf(restored(storage.getItem(key)), fixesMax, newId, (state) => {
    try {
      storage.setItem(key, JSON.stringify(state));
    } catch {
      // The storage is full: the fixes still wait in memory.
    }
  });
}

function restored(text: string | null): State {
  try {
    const state = JSON.parse(text ?? '') as State;
    if (Array.isArray(state.fixes)) return { open: state.open, fixes: state.fixes };
  } catch {
    // Nothing was stored, or not by us.
  }
  return { open: undefined, fixes: [] };
}

function bufferOf(
  state: State,
  fixesMax: number,
  newId: () => string,
  save: (state: State) => void,
): FixBuffer {
  return {
    add(fix, thin) {
      if (state.fixes.length >= fixesMax) state.fixes = thin(state.fixes);
      state.fixes.push(fix);
      save(state);
    },
    batch(most) {
      if (state.open === undefined && state.fixes.length > 0) {
        state.open = { id: newId(), fixes: state.fixes.splice(0, most) };
        save(state);
      }
      return state.open;
    },
    acknowledge(id) {
      if (state.open?.id !== id) return;
      state.open = undefined;
      save(state);
    },
    get size() {
      return state.fixes.length + (state.open?.fixes.length ?? 0);
    },
  };
}
