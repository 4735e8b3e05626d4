interface Kept {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

/**
 * What the browser stores for this origin; where it is forbidden or full, what this page keeps until it is
 * closed. A page works without storage, and forgets when it is left.
 */
function keptIn(name: 'localStorage' | 'sessionStorage'): Kept {
  const own = new Map<string, string>();
  return {
    get(key) {
      try {
        return own.get(key) ?? globalThis[name].getItem(key);
      } catch {
        return own.get(key) ?? null;
      }
    },
    set(key, value) {
      try {
        globalThis[name].setItem(key, value);
        own.delete(key);
      } catch {
        own.set(key, value);
      }
    },
    remove(key) {
      own.delete(key);
      try {
        globalThis[name].removeItem(key);
      } catch {
        // Nothing was stored.
      }
    },
  };
}

/** For all tabs, until it is removed. */
export const keptByBrowser: Kept = keptIn('localStorage');
/** For this tab. */
export const keptByTab: Kept = keptIn('sessionStorage');
