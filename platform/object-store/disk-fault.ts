import { ObjectStoreUnavailable } from './object-store.js';

/** A full disk, no free handles, or an unavailable disk: the same call may succeed after a repair. */
const passing = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EIO', 'ESTALE', 'ETIMEDOUT', 'EBUSY']);

/** Turns a disk error into a sentence that names the store; other errors are returned unchanged. */
export function diskFault(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || !/^E(?!RR_)[A-Z0-9]+$/.test(String(error.code)))
    return error;
  const says = `The object store in ${folder} cannot be read or written (${error.message})`;
  return passing.has(String(error.code))
    ? new ObjectStoreUnavailable(`${says}: free space or file handles, or check the disk`, { cause: error })
    : new Error(`${says}: use a folder that this program may write to`, { cause: error });
}
