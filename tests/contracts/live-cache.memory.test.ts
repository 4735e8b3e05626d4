import { openLiveCache } from '#platform/live-cache/open-live-cache.js';
import { liveCacheContract } from './live-cache.contract.js';

liveCacheContract('memory', async () => {
  const cache = await openLiveCache('memory:');
  return { one: cache, other: cache, runs: 300, dispose: () => cache.close() };
});
