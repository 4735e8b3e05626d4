import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ObjectStore, ObjectStoreUnavailable } from '#platform/object-store/object-store.js';
import { openObjectStore } from '#platform/object-store/open-object-store.js';

/** An S3 with responses from the test; the contract runs against a real one. */
let server: Server;
let store: ObjectStore;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let requests: string[];
const credentials = { accessKeyId: 'key', secretAccessKey: 'very-secret' };

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume().once('end', () => answer(request, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  store = await openObjectStore(`s3://tiles?endpoint=${endpoint()}`, { credentials });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
const endpoint = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

test('retries after 503 and a lost connection, then returns the bytes', async () => {
  answer = (request, response) => {
    if (requests.length === 1) response.writeHead(503).end();
    else if (requests.length === 2) request.socket.destroy();
    else response.writeHead(200).end('tile');
  };
  expect(new TextDecoder().decode(await store.get('a/b'))).toBe('tile');
  expect(requests).toEqual(['GET /tiles/a/b', 'GET /tiles/a/b', 'GET /tiles/a/b']);
});

test('stops after a bounded number of attempts and names the response, not the keys', async () => {
  answer = (_, response) =>
    response.writeHead(503).end('<Error><Code>SlowDown</Code><Message>Reduce your rate.</Message></Error>');
  const failure = await store.put('a', new Uint8Array(1)).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ObjectStoreUnavailable);
  expect(String(failure)).toContain('bucket tiles');
  expect(String(failure)).toContain('503: SlowDown, Reduce your rate.');
  expect(String(failure)).not.toContain(credentials.secretAccessKey);
  expect(requests).toHaveLength(4);
});

test('does not retry a rejected request', async () => {
  answer = (_, response) => response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
  await expect(store.get('a')).rejects.toThrow('refused with status 403: AccessDenied');
  expect(requests).toHaveLength(1);
});

test('a missing bucket is an error, a missing object is not', async () => {
  answer = (_, response) => response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>');
  await expect(store.get('a')).rejects.toThrow('NoSuchBucket');
  answer = (_, response) => response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
  expect(await store.get('a')).toBeUndefined();
});

test('putIfAbsent recognizes its own object when the response to the first attempt was lost', async () => {
  let stored: string | undefined;
  answer = (request, response) => {
    if (request.method === 'HEAD') response.writeHead(200, { 'x-amz-meta-put-id': stored! }).end();
    else if (stored === undefined) {
      stored = String(request.headers['x-amz-meta-put-id']);
      request.socket.destroy();
    } else response.writeHead(412).end();
  };
  expect(await store.putIfAbsent('once', new Uint8Array(1))).toBe(true);
  stored = 'of another writer';
  expect(await store.putIfAbsent('once', new Uint8Array(1))).toBe(false);
});

test('follows the pages of a listing and skips foreign keys', async () => {
  answer = (request, response) => {
    const second = request.url!.includes('continuation-token=a%26b');
    response.end(
      second
        ? '<R><IsTruncated>false</IsTruncated><Contents><Key>c</Key></Contents></R>'
        : '<R><Contents><Key>a</Key></Contents><Contents><Key>b &amp; b</Key></Contents><NextContinuationToken>a&amp;b</NextContinuationToken></R>',
    );
  };
  const keys: string[] = [];
  for await (const key of store.list('')) keys.push(key);
  expect(keys).toEqual(['a', 'c']);
});

test('check reports within its timeout that no server answers', async () => {
  server.closeAllConnections();
  server.close();
  const started = Date.now();
  await expect(store.check()).rejects.toThrow(ObjectStoreUnavailable);
  expect(Date.now() - started).toBeLessThan(3_000);
});

test.each([
  ['', 'must start with dir: or s3://'],
  ['ftp://x', "not with 'ftp:'"],
  ['/data', 'must start with dir:'],
  ['dir:', 'has no folder'],
  ['s3://', 'no valid bucket'],
  ['s3://Bad_Bucket', 'no valid bucket'],
  ['s3://tiles/path', 'path after the bucket'],
  ['s3://key:secret@tiles', 'must not contain keys'],
  ['s3://tiles?endpont=http://x', "unknown parameter 'endpont'"],
  ['s3://tiles?endpoint=127.0.0.1:9000', 'malformed endpoint'],
])('rejects the address %j: %s', async (address, sentence) => {
  await expect(openObjectStore(address, { credentials })).rejects.toThrow(sentence);
});

test('s3 without keys says which variables to set', async () => {
  await expect(openObjectStore('s3://tiles')).rejects.toThrow('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
});
