const name = 'meridian-tiles';

/** About 30 kB each in a town. */
const tilesMax = 1_000;
/** Between two looks at how many there are. */
const putsPerTrim = 50;
let puts = 0;

/**
 * A tile that never changes, from the cache if it is there. The address names the map, so tiles of an older
 * map are no longer asked for and are the first to go.
 */
export async function tile(request: Request): Promise<Response> {
  const cache = await caches.open(name);
  const kept = await cache.match(request, { ignoreVary: true });
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  const isFinal = response.headers.get('cache-control')?.includes('immutable') === true;
  if (response.status === 200 && isFinal) await keep(cache, request, response.clone());
  return response;
}

/** What describes the tiles: the server's answer, without a network the last one. */
export async function tileDescription(request: Request): Promise<Response> {
  const cache = await caches.open(name);
  try {
    const response = await fetch(request);
    if (response.status === 200) await keep(cache, request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreVary: true });
    if (kept === undefined) throw error;
    return kept;
  }
}

/** Without space, the page works as before. */
async function keep(cache: Cache, request: Request, response: Response): Promise<void> {
  try {
    await cache.put(request, response);
    puts += 1;
    if (puts % putsPerTrim === 0) await trim(cache);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'QuotaExceededError')) throw error;
  }
}

/** The oldest go first. */
async function trim(cache: Cache): Promise<void> {
  const all = await cache.keys();
  const surplus = all.slice(0, Math.max(0, all.length - tilesMax));
  await Promise.all(surplus.map((each) => cache.delete(each)));
}
