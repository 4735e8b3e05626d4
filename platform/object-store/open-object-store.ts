import { DirectoryObjectStore } from './directory-object-store.js';
import type { ObjectStore } from './object-store.js';

/**
 * Opens the store that `address` names: `dir:./data/objects`.
 * Rejects with a sentence when the address is malformed or its scheme unknown.
 */
export async function openObjectStore(address: string): Promise<ObjectStore> {
  const scheme = address.slice(0, address.indexOf(':') + 1);
  const rest = address.slice(scheme.length);
  switch (scheme) {
    case 'dir:':
      if (rest === '') throw new Error('The object store address names no folder: write dir:./data/objects.');
      return DirectoryObjectStore.open(rest);
    default:
      throw new Error(`The object store address begins with '${scheme}': write dir:FOLDER.`);
  }
}
