import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

/**
 * LMDB maps its file into memory, and touching a mapped page behind the end of a file ends the process with
 * SIGBUS. So a file that is shorter than its newest meta page says is checked first. Its page numbers show
 * whether it is complete (the last pages may be free ones), complete at the last flush, or cut off.
 *
 * The layout is that of LMDB's data version 2 on a little-endian 64-bit machine:
 *   page   u64 number, u64 transaction, u16, u16 flags, u16 lower, u16 upper; then u16 places of nodes
 *   node   u16 low, u16 high, u16 flags, u16 key bytes, key, data; in a branch low, high and flags are a page
 *          number
 *   table  48 bytes, the page number of its root at 40
 *   meta   behind a page header: u32 magic at 0; free table at 24 with the page size at 24 and flags at 28;
 *          main table at 72; last page at 120, transaction at 128. Three places: 0, half a page, one page.
 */
const HEADER = 24;
const META_MAGIC = 0xbeefc0de;
const UNFLUSHED = 0x1000;
const BRANCH = 0x01;
const LEAF = 0x02;
const NODE_HEADER = 8;
const ON_OVERFLOW_PAGE = 0x01;
const IS_TABLE = 0x02;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;

interface Meta {
  readonly pageSize: number;
  readonly flushed: boolean;
  readonly roots: readonly bigint[];
  readonly lastPage: bigint;
  readonly transaction: bigint;
}

/**
 * How an environment may be opened: `newest` as it is, `flushed` by its last flushed transaction. `damage`
 * says of a file that is cut off, or of another kind, what is wrong with it.
 */
export type LmdbFileState = 'newest' | 'flushed' | { readonly damage: string };

/** Of `data.mdb` in the folder; `newest` without one. */
export function lmdbFileState(folder: string): LmdbFileState {
  const file = join(folder, 'data.mdb');
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'newest';
    throw error;
  }
  try {
    if (fstatSync(descriptor).size === 0) return 'newest';
    const metas = metasOf(descriptor);
    const newest = metas[0];
    if (newest === undefined) return { damage: 'it does not start with the header of an LMDB file' };
    const { size } = fstatSync(descriptor);
    const needed = (Number(newest.lastPage) + 1) * newest.pageSize;
    if (size >= needed || isWhole(descriptor, newest, size)) return 'newest';
    // Another process that commits meanwhile overwrites pages that were being checked, and its file is valid.
    if (metasOf(descriptor)[0]?.transaction !== newest.transaction) return 'newest';
    const flushed = metas.find((meta) => meta.flushed);
    if (flushed !== undefined && isWhole(descriptor, flushed, size)) return 'flushed';
    return { damage: `it is truncated: ${size} of ${needed} bytes remain` };
  } finally {
    closeSync(descriptor);
  }
}

/** Newest first; empty for a file of another kind. */
function metasOf(descriptor: number): readonly Meta[] {
  const head = Buffer.alloc(2 * 65_536);
  const length = readSync(descriptor, head, 0, head.length, 0);
  const pageSize = head.readUInt32LE(HEADER + 24);
  if (head.readUInt32LE(HEADER) !== META_MAGIC) return [];
  const metas = [0, pageSize / 2, pageSize].flatMap((at): Meta[] => {
    const meta = head.subarray(at + HEADER, Math.min(length, at + HEADER + 136));
    if (meta.length < 136 || meta.readUInt32LE(0) !== META_MAGIC) return [];
    return [
      {
        pageSize,
        flushed: (meta.readUInt16LE(28) & UNFLUSHED) === 0,
        roots: [meta.readBigUInt64LE(24 + 40), meta.readBigUInt64LE(72 + 40)],
        lastPage: meta.readBigUInt64LE(120),
        transaction: meta.readBigUInt64LE(128),
      },
    ];
  });
  return metas.toSorted((a, b) => (a.transaction > b.transaction ? -1 : 1));
}

/** True when every page that can be reached from the meta page lies inside the file. */
function isWhole(descriptor: number, { pageSize, roots }: Meta, size: number): boolean {
  const page = Buffer.alloc(pageSize);
  const waiting = [...roots];
  const seen = new Set<bigint>();
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    if (number === NO_PAGE) continue;
    if ((Number(number) + 1) * pageSize > size || seen.has(number)) return false;
    seen.add(number);
    readSync(descriptor, page, 0, pageSize, Number(number) * pageSize);
    const flags = page.readUInt16LE(18);
    if ((flags & (BRANCH | LEAF)) === 0) return false;
    for (const node of nodesOf(page)) {
      if (flags & BRANCH) waiting.push(BigInt(node.readUIntLE(0, 6)));
      else {
        const data = NODE_HEADER + node.readUInt16LE(6);
        const kind = node.readUInt16LE(4);
        if (kind & IS_TABLE) waiting.push(node.readBigUInt64LE(data + 40));
        if (kind & ON_OVERFLOW_PAGE) {
          const pages = Math.ceil((HEADER + node.readUInt32LE(0)) / pageSize);
          if ((Number(node.readBigUInt64LE(data)) + pages) * pageSize > size) return false;
        }
      }
    }
  }
  return true;
}

function* nodesOf(page: Buffer): Generator<Buffer> {
  const count = page.readUInt16LE(20) >> 1;
  for (let i = 0; i < count; i++) {
    const at = HEADER + page.readUInt16LE(HEADER + 2 * i);
    yield page.subarray(at);
  }
}
