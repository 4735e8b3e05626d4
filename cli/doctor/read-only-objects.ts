import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#platform/config/settings.js';
import { checkObjectKey } from '#platform/object-store/object-key.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { addressesOf, openObjects } from '../adapters.js';

/** The object store for a look. Opening a directory as a store would make folders and remove files. */
export async function openObjectsToRead(config: Config): Promise<ObjectStore> {
  const address = addressesOf(config).objects;
  return address.startsWith('dir:') ? readOnly(address.slice('dir:'.length)) : openObjects(config);
}

function readOnly(root: string): ObjectStore {
  const refused = () => Promise.reject(new Error(`The objects in ${root} were opened to be read only.`));
  return {
    async get(key) {
      checkObjectKey(key);
      return readFile(join(root, key)).catch((error: NodeJS.ErrnoException) => {
        if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code ?? '')) return undefined;
        throw error;
      });
    },
    put: refused,
    putIfAbsent: refused,
    delete: refused,
    list: () => {
      throw new Error(`The objects in ${root} were opened to read single ones.`);
    },
    check: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
