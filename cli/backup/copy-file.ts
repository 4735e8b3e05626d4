import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

const chunkBytes = 2 ** 20;

export interface Copied {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Copies what the file has now, durably, and hashes it. What is appended meanwhile is not copied. Undefined
 * if there is no such file any more.
 */
export async function copyFile(from: string, to: string): Promise<Copied | undefined> {
  const source = await openIfThere(from);
  if (source === undefined) return undefined;
  try {
    await mkdir(dirname(to), { recursive: true });
    const target = await open(to, 'wx', 0o600);
    try {
      const copied = await readAll(source, async (chunk) => {
        await target.writeFile(chunk);
      });
      await target.datasync();
      return copied;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Length and hash of a file. Undefined if there is none. */
export async function hashFile(path: string): Promise<Copied | undefined> {
  const source = await openIfThere(path);
  if (source === undefined) return undefined;
  try {
    return await readAll(source, () => undefined);
  } finally {
    await source.close();
  }
}

async function readAll(
  source: FileHandle,
  take: (chunk: Buffer) => Promise<void> | undefined,
): Promise<Copied> {
  const { size } = await source.stat();
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, size)));
  let bytes = 0;
  while (bytes < size) {
    const { bytesRead } = await source.read(chunk, 0, Math.min(chunk.length, size - bytes), bytes);
    if (bytesRead === 0) break;
    const read = chunk.subarray(0, bytesRead);
    hash.update(read);
    await take(read);
    bytes += bytesRead;
  }
  return { bytes, sha256: hash.digest('hex') };
}

const openIfThere = (path: string): Promise<FileHandle | undefined> =>
  open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
