import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { HttpAnswer, HttpRequest, Page } from '../http-types.js';
import { staticCacheBytesMax, staticFilesMax } from '../limits.js';
import { problem, problems } from '../problem.js';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.pbf': 'application/x-protobuf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const alreadyCompressed = new Set(['.png', '.webp', '.woff2']);
const compress = promisify(gzip);

export interface StaticFilesOptions {
  /** Path below which the files are served, `/` or `/docs/assets`. */
  readonly at: string;
  /** Content-Security-Policy of HTML files. */
  readonly policy: string;
  /** Paths below it whose names change with their content; browsers keep them for good. */
  readonly immutable?: RegExp;
  /** Only these file names are served; all below the folder when absent. */
  readonly only?: readonly string[];
}

interface Loaded {
  readonly bytes: Uint8Array;
  readonly gzipped: Uint8Array | undefined;
  readonly etag: string;
}

/**
 * Serves the files that are in a folder at the time of the call, and no others: a request can name only
 * listed files, so no path leads outside. Contents are read at first use and cached up to a limit, plain and
 * compressed.
 */
export function staticFiles(folder: string, options: StaticFilesOptions): Page[] {
  const cache = new LRUCache<string, Loaded>({
    maxSize: staticCacheBytesMax,
    sizeCalculation: ({ bytes, gzipped }) => bytes.byteLength + (gzipped?.byteLength ?? 0) + 1,
  });

  async function load(file: string): Promise<Loaded> {
    const known = cache.get(file);
    if (known !== undefined) return known;
    const bytes = await readFile(join(folder, file));
    const smaller = alreadyCompressed.has(extname(file)) ? undefined : await compress(bytes, { level: 9 });
    const loaded = {
      bytes,
      gzipped: smaller !== undefined && smaller.byteLength < bytes.byteLength ? smaller : undefined,
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    };
    cache.set(file, loaded);
    return loaded;
  }

  async function serve(file: string, request: HttpRequest): Promise<HttpAnswer> {
    let loaded: Loaded;
    try {
      loaded = await load(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return problem(problems.notFound, 'The file no longer exists.');
      }
      throw error;
    }
    const kept = options.immutable?.test(file) === true;
    const takesGzip = request.header('accept-encoding')?.includes('gzip') === true;
    const gzipped = takesGzip ? loaded.gzipped : undefined;
    const headers: Record<string, string> = {
      // Other bytes than the plain ones: a strong tag would say that they are the same (RFC 9110, 8.8.3).
      etag: gzipped === undefined ? loaded.etag : `W/${loaded.etag}`,
      vary: 'accept-encoding',
      'cache-control': kept ? 'public, max-age=31536000, immutable' : 'no-cache',
    };
    if (file.endsWith('.html')) headers['content-security-policy'] = options.policy;
    if (isKnown(request.header('if-none-match'), loaded.etag)) return { status: 304, headers };
    const contentType = contentTypes[extname(file)] ?? 'application/octet-stream';
    if (gzipped === undefined) return { status: 200, headers, body: loaded.bytes, contentType };
    return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipped, contentType };
  }

  const prefix = options.at.endsWith('/') ? options.at : `${options.at}/`;
  return listFiles(folder, options.only).flatMap((file): Page[] => {
    const handle = (request: HttpRequest) => serve(file, request);
    const page = { path: prefix + file, handle };
    // A folder with an index is that page.
    const folder = /^(|.*\/)index\.html$/.exec(file)?.[1];
    return folder === undefined ? [page] : [page, { path: prefix + folder, handle }];
  });
}

/** A strong or weak tag in the list, or `*`. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => {
    const trimmed = tag.trim();
    return trimmed === '*' || trimmed === etag || trimmed === `W/${etag}`;
  });
}

function listFiles(folder: string, only: readonly string[] | undefined): string[] {
  const names = only ?? readdirSync(folder, { recursive: true }).map(String);
  if (names.length > staticFilesMax) throw new Error(`${folder} has more than ${staticFilesMax} files`);
  return names
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
    .toSorted();
}
