import { randomUUID } from 'node:crypto';
import { mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Receives all bytes into a file, then lets `work` read them from there. The file has no name while it is
 * used, so nothing remains of it, even after a crash.
 */
export async function withSpooled<Result>(
  bytes: AsyncIterable<Uint8Array>,
  folder: string,
  work: (bytes: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    for await (const piece of bytes) await file.appendFile(piece);
    return await work(file.createReadStream({ start: 0, autoClose: false }));
  } finally {
    await file.close();
  }
}
