import { addProtocol } from 'maplibre-gl';
import { fetchWithRetries } from '../http/fetch-with-retries.js';
import { tileStatus } from './messages.js';

/**
 * Concurrent requests: the server cuts a tile at its first request, and sheds requests that wait too long
 * behind one.
 */
const atOnce = 4;
const triesMax = 6;

const scheme = 'road-tile';

/** The address under which the map requests a tile, so that it comes through here. */
export function throughRoadTiles(address: string): string {
  return `${scheme}://${address}`;
}

async function fetchTile(address: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetchWithRetries(address, { signal }, triesMax);
  if (!response.ok) throw new Error(tileStatus(response.status));
  return await response.arrayBuffer();
}

/** Serves the map's tile requests, a few at a time, and repeats them when the server is too busy. */
export function serveRoadTiles(): void {
  let running = 0;
  const waiting: (() => void)[] = [];
  addProtocol(scheme, async ({ url }, { signal }) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      signal.throwIfAborted();
      return { data: await fetchTile(url.slice(`${scheme}://`.length), signal) };
    } finally {
      running--;
      waiting.shift()?.();
    }
  });
}
