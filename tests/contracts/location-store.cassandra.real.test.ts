import { openLocationStore } from '#platform/location-store/open-location-store.js';
import { locationStoreContract } from './location-store.contract.js';
import { required } from './required-variable.js';

locationStoreContract('cassandra', async () => {
  const address = required('LOCATIONS', 'cassandra://');
  const retentionMs = 40 * 24 * 3_600_000;
  const one = await openLocationStore(address, { retentionMs });
  const other = await openLocationStore(address, { retentionMs });
  await one.prepare();
  await other.prepare();
  return {
    one,
    other,
    retentionMs,
    runs: 25,
    dispose: async () => {
      await one.close();
      await other.close();
    },
  };
});
