import { ask } from '../http/ask.js';
import { tileJsonPath } from '../http/paths.js';
import { pollDelayMs } from '../http/poll.js';
import type { TileJson } from '../map/base-map.js';

/** The server serves figures before it has opened its map; then the page adds the map later. */
export async function tileJsonWhenReady(): Promise<TileJson> {
  for (let failures = 0; ; failures++) {
    const tileJson = await ask<TileJson>(tileJsonPath).catch(() => null);
    if (tileJson !== null) return tileJson;
    await new Promise((resolve) => setTimeout(resolve, pollDelayMs(500, failures)));
  }
}
