import { openObjectStore } from '#platform/object-store/open-object-store.js';
import { objectStoreContract } from './object-store.contract.js';
import { required } from './required-variable.js';

objectStoreContract('s3', async () => {
  const address = required('OBJECTS', 's3://');
  const credentials = {
    accessKeyId: required('AWS_ACCESS_KEY_ID'),
    secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
  };
  return {
    one: await openObjectStore(address, { credentials }),
    other: await openObjectStore(address, { credentials }),
    runs: 15,
    dispose: async () => {},
  };
});
