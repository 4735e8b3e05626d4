import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { changeLimits } from '../read/limits.js';
import type { OsmChange } from './osm-change.js';
import { OsmChangeParser } from './osm-change-parser.js';

/**
 * A change file is incomplete or malformed. The message names the position and what to do; nothing of the
 * file was applied.
 */
export class InvalidOsmChange extends Error {
  override readonly name = 'InvalidOsmChange';
}

export interface ReadOsmChange {
  readonly change: OsmChange;
  /** Hash of the stored file, hexadecimal. */
  readonly sha256: string;
}

/**
 * Streams an OsmChange file, `.osc` or gzip; its first bytes decide which. Throws one `InvalidOsmChange` with
 * line and column when the file is truncated, malformed or larger than `changeLimits`.
 */
export async function readOsmChange(file: string): Promise<ReadOsmChange> {
  const hash = createHash('sha256');
  const parser = new OsmChangeParser();
  const text = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  async function* hashed(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
  }
  const parse = async (pieces: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > changeLimits.bytesMax) throw new Error(`more than ${changeLimits.bytesMax} bytes`);
      parser.write(text.decode(piece, { stream: true }));
    }
    parser.write(text.decode());
  };
  try {
    if (await isGzip(file)) await pipeline(createReadStream(file), hashed, createGunzip(), parse);
    else await pipeline(createReadStream(file), hashed, parse);
    return { change: parser.end(), sha256: hash.digest('hex') };
  } catch (cause) {
    // The parser's own messages start with the position.
    const reason = (cause as Error).message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
    throw new InvalidOsmChange(
      `${file}: ${reason} at ${parser.where}; the change file is damaged, or it is no OsmChange; ` +
        'fetch it again',
      { cause },
    );
  }
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}
