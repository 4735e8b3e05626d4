import { createServer, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FetchFailed, type FetchTextOptions, fetchText } from '#platform/http-client/fetch-text.js';

let server: Server;
let url: string;
let asked = 0;

const pages: Readonly<Record<string, (answer: ServerResponse) => void>> = {
  '/feed': (answer) => answer.setHeader('etag', '"1"').end('blå'),
  '/zipped': (answer) => answer.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(5_000))),
  '/once': (answer) => answer.writeHead(302, { location: '/feed' }).end(),
  '/ever': (answer) => answer.writeHead(307, { location: '/ever' }).end(),
  '/file': (answer) => answer.writeHead(301, { location: 'file:///etc/hostname' }).end(),
  '/nowhere': (answer) => answer.writeHead(302).end(),
  '/broken': (answer) => answer.writeHead(500).end('no'),
  '/latin': (answer) => answer.end(Buffer.from([0x62, 0x6c, 0xe5, 0x20])),
  '/slow': () => undefined,
  '/trickle': (answer) => answer.write('x'),
};

beforeAll(async () => {
  server = createServer((request, answer) => {
    asked++;
    if (request.headers['if-none-match'] === '"1"') answer.writeHead(304).end();
    else pages[request.url!]?.(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = (path: string, over: Partial<FetchTextOptions> = {}) =>
  fetchText(url + path, { bytesMax: 1_000, timeoutMs: 10_000, redirectsMax: 3, ...over });

describe('fetchText', () => {
  it('reads a text with its tag, over a redirect, and not again while it is the same', async () => {
    const fetched = { kind: 'text', text: 'blå', etag: '"1"' };
    expect(await get('/feed')).toEqual(fetched);
    expect(await get('/once')).toEqual(fetched);
    expect(await get('/feed', { etag: '"1"' })).toEqual({ kind: 'not-modified' });
    expect(await get('/feed', { etag: '"0"' })).toEqual(fetched);
  });

  it.each([
    ['/ever', /redirects more than 3 times/],
    ['/file', /file:\/\/\/etc\/hostname is not an http or https address/],
    ['/nowhere', /answered with 302/],
    ['/broken', /answered with 500/],
    ['/latin', /not text in UTF-8/],
    ['/zipped', /longer than 1000 bytes/],
  ])('refuses %s', async (path, reason) => {
    const error = await get(path).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(FetchFailed);
    expect((error as Error).message).toMatch(reason);
  });

  it('follows no redirect beyond its bound', async () => {
    asked = 0;
    await expect(get('/ever')).rejects.toThrow(FetchFailed);
    expect(asked).toBe(4);
  });

  it('counts the bytes after decompression', async () => {
    expect(await get('/zipped', { bytesMax: 5_000 })).toMatchObject({ text: 'x'.repeat(5_000) });
    await expect(get('/zipped', { bytesMax: 4_999 })).rejects.toThrow(FetchFailed);
  });

  it('gives up after its time, before and within the answer, and at once when it is stopped', async () => {
    await expect(get('/slow', { timeoutMs: 50 })).rejects.toThrow(/within 0.05 s/);
    await expect(get('/trickle', { timeoutMs: 50 })).rejects.toThrow(/within 0.05 s/);
    const stop = new AbortController();
    const asked = get('/slow', { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(asked).rejects.toThrow('stopped');
  });

  it.each(['file:///etc/hostname', 'ftp://127.0.0.1/feed', 'data:text/plain,x', 'feed'])(
    'takes no address such as %s',
    async (address) => {
      await expect(fetchText(address, { bytesMax: 1, timeoutMs: 1, redirectsMax: 0 })).rejects.toThrow(
        /not an http or https address/,
      );
    },
  );

  it('does not follow a redirect from https to http', async () => {
    const asked: string[] = [];
    const answering = (async (address: URL) => {
      asked.push(String(address));
      const location = address.protocol === 'https:' ? 'http://other.test/feed' : '/never';
      return new Response(null, { status: 302, headers: { location } });
    }) as unknown as typeof fetch;
    await expect(
      fetchText('https://feed.test/', { bytesMax: 1, timeoutMs: 5_000, redirectsMax: 3, fetch: answering }),
    ).rejects.toThrow('https://feed.test/ redirects from https to http.');
    expect(asked).toEqual(['https://feed.test/']);
  });

  it('says what is wrong where nobody answers', async () => {
    await expect(
      fetchText('http://127.0.0.1:1/feed', { bytesMax: 1, timeoutMs: 5_000, redirectsMax: 0 }),
    ).rejects.toThrow(/cannot be read: /);
  });
});
