import type { StatusAnswer } from '#schemas/http/map.js';
import { keptByBrowser } from '../http/kept.js';
import { app } from '../state/state.js';

type Tileset = StatusAnswer['tileset'];

const key = 'meridian.tileset';

/** Of the server as soon as it answers; of the last visit while there is no network. */
export function knownTileset(): Promise<Tileset> {
  return new Promise((resolve) => {
    const look = (): boolean => {
      const { status, online } = app.get();
      const known = status?.tileset ?? (online ? undefined : keptTileset());
      if (status !== null) keptByBrowser.set(key, JSON.stringify(status.tileset));
      if (known !== undefined) resolve(known);
      return status !== null;
    };
    if (look()) return;
    const stop = app.watch(
      ({ status, online }) => (status === null ? online : status.tileset),
      () => {
        if (look()) stop();
      },
    );
  });
}

function keptTileset(): Tileset | undefined {
  const text = keptByBrowser.get(key);
  return text === null ? undefined : (JSON.parse(text) as Tileset);
}
