/**
 * Bytes of addresses that a file is mapped to; no memory and no disk. LMDB maps a file that outgrows its map
 * to twice the size and keeps the earlier maps until it is closed, so that each page that was read over
 * several of them counts as often in the resident memory.
 */
export const lmdbMapBytes = 64 * 2 ** 30;
