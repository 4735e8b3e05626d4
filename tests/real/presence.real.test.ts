import { openLiveCache } from '#platform/live-cache/open-live-cache.js';
import { presenceCases } from '../api/presence-cases.js';
import { required } from '../contracts/required-variable.js';

presenceCases('Redis', async () => {
  const address = required('CACHE', 'redis');
  const [one, other] = [await openLiveCache(address), await openLiveCache(address)];
  return {
    one,
    other,
    dispose: async () => {
      await one.close();
      await other.close();
    },
  };
});
