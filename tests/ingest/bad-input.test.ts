import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeUpload } from '#location-client/encode-upload.js';
import { locationBodyBytesMax } from '#schemas/http/locations.js';
import type { Problem } from '#schemas/http/shapes.js';
import { type IngestRoom, startIngestRoom } from './ingest-fixture.js';

const now = Date.now();
const mib = 2 ** 20;

describe('bad input at the ingest server', () => {
  let room: IngestRoom;
  beforeAll(async () => {
    room = await startIngestRoom();
  });
  afterAll(() => room.close());

  const send = (user: string, body: Uint8Array, headers: Record<string, string>) =>
    fetch(room.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${user}`, ...headers },
      body: Buffer.from(body),
    });
  const json = { 'content-type': 'application/json' };
  const problemOf = async (answer: Response) => ((await answer.json()) as Problem).code;
  const logged = async () => {
    const offsets = await room.log.offsets(room.codecs.locationBatchRecorded.topic.name);
    return offsets.reduce((sum, { end }) => sum + end, 0);
  };

  it('accepts gzip of JSON and of Protobuf', async () => {
    const fixes = [{ lat: 1, lng: 2, timestamp: now }];
    const text = JSON.stringify({ locs: [[1, 2, now]] });
    const zipped = { 'content-encoding': 'gzip' };
    expect((await send('zip-json', gzipSync(text), { ...json, ...zipped })).status).toBe(202);
    const protobuf = { 'content-type': 'application/x-protobuf', ...zipped };
    expect((await send('zip-proto', gzipSync(encodeUpload(fixes)), protobuf)).status).toBe(202);
  });

  it('F36: rejects a gzip bomb with 413 as soon as it has inflated to the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * mib, 0x20));
    expect(bomb.length).toBeLessThan(locationBodyBytesMax);
    const before = process.memoryUsage();
    for (let i = 0; i < 20; i++) {
      const answer = await send('bomber', bomb, { ...json, 'content-encoding': 'gzip' });
      expect([answer.status, await problemOf(answer)]).toEqual([413, 'body-too-large']);
    }
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(50 * mib);
  });

  it('M-004: rejects 10,000 points with 413 in any format, and stores nothing', async () => {
    const before = await logged();
    const fixes = Array.from({ length: 10_000 }, (_, i) => ({ lat: 1, lng: 2, timestamp: now - i }));
    const tuples = JSON.stringify({ locs: fixes.map(({ timestamp }) => [1, 2, timestamp]) });
    const answers = [
      await send('many', Buffer.from(tuples), json),
      await send('many', encodeUpload(fixes), { 'content-type': 'application/x-protobuf' }),
    ];
    for (const answer of answers)
      expect([answer.status, await problemOf(answer)]).toEqual([413, 'too-many-points']);
    expect(await logged()).toBe(before);
  });

  it('F35, F36: serves others while senders are slow, disconnect or send too little', async () => {
    const { port } = new URL(room.url);
    const head = (length: number) =>
      `POST /v1/locations HTTP/1.1\r\nhost: x\r\nauthorization: Bearer slow\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
    const sockets: Socket[] = [];
    const open = (text: string) =>
      new Promise<Socket>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => {
          socket.write(text);
          resolve(socket);
        });
        socket.on('error', () => undefined);
        sockets.push(socket);
      });
    const before = await logged();
    for (let i = 0; i < 100; i++) await open(`${head(1_000)}{"locs":[[1,`);
    for (let i = 0; i < 100; i++) await open('POST /v1/locations HTTP/1.1\r\nhost: x\r\nx-drip: ');
    for (let i = 0; i < 200; i++) (await open(`${head(1_000)}{"locs":[[1,2,${now}]`)).destroy();
    for (let i = 0; i < 50; i++) {
      const answer = await room.post(`calm-${i}`, { locs: [[1, 2, now]] });
      expect(answer.status).toBe(202);
    }
    expect(await logged()).toBe(before + 50);
    for (const socket of sockets) socket.destroy();
  });

  it('F37: a client that disconnects after a complete body loses only its own response', async () => {
    const { port } = new URL(room.url);
    const body = JSON.stringify({ locs: [[3, 4, now]], batch_id: 'gone' });
    const text = `POST /v1/locations HTTP/1.1\r\nhost: x\r\nauthorization: Bearer gone\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    for (let i = 0; i < 20; i++) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => {
          socket.write(text, () => {
            socket.destroy();
            resolve();
          });
        });
        socket.on('error', () => resolve());
      });
    }
    expect((await room.post('after', { locs: [[1, 2, now]] })).status).toBe(202);
  });
});
