import { open } from 'node:fs/promises';
import { join } from 'node:path';

/** `MDB_MAGIC` and the data version of liblmdb's `mdb.c`, behind the 24 bytes of a page header. */
const magicOffset = 24;
const magic = 0xbeefc0de;
const version = 2;

/** LMDB maps a file without checking it and crashes on a file of another format, so we check first. */
export async function checkLmdbFile(folder: string): Promise<void> {
  const file = await open(join(folder, 'data.mdb'), 'r').catch(() => undefined);
  if (file === undefined) return;
  try {
    const header = Buffer.alloc(magicOffset + 8);
    const { bytesRead } = await file.read(header, 0, header.length, 0);
    if (bytesRead === 0) return;
    const known =
      header.readUInt32LE(magicOffset) === magic && header.readUInt32LE(magicOffset + 4) === version;
    if (bytesRead < header.length || !known) throw new Error('data.mdb is not an LMDB file');
  } finally {
    await file.close();
  }
}
