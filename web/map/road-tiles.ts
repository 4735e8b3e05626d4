import { addProtocol } from 'maplibre-gl';
import { retryDelayMs } from '../http/retry.js';

/** Requests at once: the server cuts a tile when it is first asked for, and sheds what waits too long behind one. */
const atOnce = 3;
const triesMax = 6;

const scheme = 'road-tile';

/** The address under which the map asks for a tile, so that it comes through here. */
export function throughRoadTiles(address: string): string {
  return `${scheme}://${address}`;
}

async function fetchTile(address: string, signal: AbortSignal): Promise<ArrayBuffer> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(address, { signal });
    if (response.ok) return await response.arrayBuffer();
    const busy = response.status === 503 || response.status === 429;
    if (!busy || tries === triesMax)
      throw new Error(`The server answered ${response.status} for a map tile.`);
    const wait = retryDelayMs(tries, response.headers.get('retry-after'), Math.random);
    await new Promise((resolve) => setTimeout(resolve, wait));
    signal.throwIfAborted();
  }
}

/** Serves the map's tile requests, a few at a time, and asks again where the server is too busy. */
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
