import { open } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { PbfReader } from 'pbf';
import { InvalidMapSource, type OsmSink } from '#schemas/osm-sink.js';
import { limits } from './limits.js';
import { readPbfBlock } from './read-pbf-block.js';

const knownFeatures = new Set(['OsmSchema-V0.6', 'DenseNodes']);

/**
 * Streams an `.osm.pbf` file blob by blob, so that memory holds one blob whatever the file's size. Returns a
 * text that is equal for the same content, as far as the file system knows. Throws one `InvalidMapSource`
 * that names the byte position when the file is truncated or corrupt.
 */
export async function readOsmPbf(
  file: string,
  sink: OsmSink,
  onProgress?: (bytes: number, total: number) => void,
): Promise<string> {
  const handle = await open(file, 'r').catch((cause: unknown) => {
    throw new InvalidMapSource(`${file}: cannot be opened (${(cause as Error).message})`, { cause });
  });
  try {
    const { size, dev, ino, mtimeMs } = await handle.stat();
    let position = 0;
    const invalid = (reason: string, cause?: unknown): InvalidMapSource =>
      new InvalidMapSource(
        `${file}: ${reason} at byte ${position} of ${size}; ` +
          'the file is damaged or not an .osm.pbf extract, fetch it again',
        { cause },
      );
    const read = async (length: number): Promise<Uint8Array> => {
      if (position + length > size) throw invalid('the file ends in the middle of a block');
      const bytes = new Uint8Array(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled);
        if (bytesRead === 0) throw invalid('the file ends in the middle of a block');
        filled += bytesRead;
      }
      return bytes;
    };
    if (size === 0) throw invalid('the file is empty');
    let headerSeen = false;
    while (position < size) {
      const lengthBytes = await read(4);
      const headerLength = new DataView(lengthBytes.buffer).getUint32(0);
      if (headerLength === 0 || headerLength > limits.headerBytesMax)
        throw invalid(`a block header of ${headerLength} bytes`);
      const start = position;
      position += 4;
      const headerBytes = await read(headerLength);
      let header: BlobHeader;
      let blob: Uint8Array;
      try {
        header = readBlobHeader(headerBytes);
      } catch (cause) {
        throw invalid('an unreadable block header', cause);
      }
      if (header.dataBytes > limits.blobBytesMax) throw invalid(`a block of ${header.dataBytes} bytes`);
      position += headerLength;
      const blobBytes = await read(header.dataBytes);
      const end = position + header.dataBytes;
      position = start;
      try {
        blob = unpackBlob(blobBytes);
        if (header.type === 'OSMHeader') {
          checkFeatures(blob);
          headerSeen = true;
        } else if (header.type === 'OSMData') {
          if (!headerSeen) throw new Error('data before the file header');
          readPbfBlock(blob, sink);
        }
      } catch (cause) {
        throw invalid(`an unreadable block (${(cause as Error).message})`, cause);
      }
      position = end;
      onProgress?.(position, size);
    }
    if (!headerSeen) throw invalid('no file header');
    return [dev, ino, size, mtimeMs].join(' ');
  } finally {
    await handle.close();
  }
}

interface BlobHeader {
  readonly type: string;
  readonly dataBytes: number;
}

function readBlobHeader(bytes: Uint8Array): BlobHeader {
  const pbf = new PbfReader(bytes);
  let type = '';
  let dataBytes = -1;
  for (let field = pbf.nextField(); field !== 0; field = pbf.nextField()) {
    if (field === 1) type = pbf.readString();
    else if (field === 3) dataBytes = pbf.readVarint();
  }
  if (type === '' || dataBytes < 0 || pbf.pos > bytes.length) throw new Error('no type or size');
  return { type, dataBytes };
}

function unpackBlob(bytes: Uint8Array): Uint8Array {
  const pbf = new PbfReader(bytes);
  let rawSize = -1;
  let unpacked: Uint8Array | undefined;
  for (let field = pbf.nextField(); field !== 0; field = pbf.nextField()) {
    if (field === 1) unpacked = pbf.readBytes();
    else if (field === 2) rawSize = pbf.readVarint();
    else if (field === 3) unpacked = inflate(pbf.readBytes());
    else if (field >= 4 && field <= 7)
      throw new Error('its compression is not zlib; rewrite the file with osmium');
  }
  if (unpacked === undefined || pbf.pos > bytes.length) throw new Error('no data in it');
  if (rawSize >= 0 && unpacked.length !== rawSize) throw new Error('its size is not what it says');
  return unpacked;
}

function inflate(packed: Uint8Array): Uint8Array {
  const maxOutputLength = Math.min(
    limits.blobBytesMax,
    Math.max(limits.smallBlobBytes, limits.unpackRatioMax * packed.length),
  );
  try {
    return inflateSync(packed, { maxOutputLength });
  } catch (cause) {
    const tooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw tooLarge ? new Error(`it unpacks to more than ${maxOutputLength} bytes`, { cause }) : cause;
  }
}

function checkFeatures(bytes: Uint8Array): void {
  const pbf = new PbfReader(bytes);
  for (let field = pbf.nextField(); field !== 0; field = pbf.nextField()) {
    if (field !== 4) continue;
    const feature = pbf.readString();
    if (!knownFeatures.has(feature))
      throw new Error(`it needs the feature ${feature}, which is not supported`);
  }
}
