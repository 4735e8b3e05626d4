import { openLiveCache } from '#platform/live-cache/open-live-cache.js';
import { liveCacheContract } from './live-cache.contract.js';
import { required } from './required-variable.js';

liveCacheContract('redis', async () => {
  const address = required('CACHE', 'redis');
  const one = await openLiveCache(address);
  const other = await openLiveCache(address);
  return {
    one,
    other,
    runs: 60,
    dispose: async () => {
      await one.close();
      await other.close();
    },
  };
});
