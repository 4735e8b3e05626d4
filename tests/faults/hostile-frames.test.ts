import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { percentile } from '#bench/routing/statistics.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { type NavSocket, openNavSocket } from '../main-job/nav-socket.js';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf } from '../programs/drivers-of.js';
import { RawNavSocket, rawFrame } from './raw-nav-socket.js';

const ping = '{"type":"ping"}';
const endFlag = 0x80;
const [text, more] = [endFlag | 1, 1];

const unmasked = rawFrame({ first: text, payload: ping, isMasked: false });

const malformed: readonly (readonly [string, Buffer])[] = [
  ['an opcode that is reserved', rawFrame({ first: endFlag | 3, payload: 'a' })],
  ['a control opcode that is reserved', rawFrame({ first: endFlag | 0xb, payload: 'a' })],
  ['a reserved bit', rawFrame({ first: text | 0x40, payload: ping })],
  ['text that is not UTF-8', rawFrame({ first: text, payload: Buffer.from([0xc3, 0x28]) })],
  ['a fragmented control frame', rawFrame({ first: 9, payload: 'a' })],
  ['a control frame of 126 bytes', rawFrame({ first: endFlag | 9, payload: 'a'.repeat(126) })],
  ['a continuation of nothing', rawFrame({ first: endFlag, payload: ping })],
  [
    'a message within a fragmented one',
    Buffer.concat([rawFrame({ first: more, payload: '{' }), rawFrame({ first: text, payload: ping })]),
  ],
  ['a frame of 17 kB', rawFrame({ first: text, payload: ' '.repeat(17_000) })],
  [
    '17 kB in fragments',
    Buffer.concat([
      rawFrame({ first: more, payload: ' '.repeat(9_000) }),
      rawFrame({ first: 0, payload: ' '.repeat(8_000) }),
    ]),
  ],
  ['a length of 2^63', Buffer.from('81ff800000000000000000000000', 'hex')],
  // One alone is taken for the beginning of a masked frame, and the rest is waited for.
  ['frames without a mask', Buffer.concat(Array(20).fill(unmasked))],
];

describe('a client that sends what no client should', () => {
  let data: string;
  let api: RunningProgram;
  let token: string;
  let other: NavSocket;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-hostile-'));
    api = await startProgram('api', { data });
    const [hostile, calm] = await driversOf(data, ['hostile', 'calm']);
    token = hostile!.token;
    other = await openNavSocket(api.url, calm!.token);
  });
  afterAll(async () => {
    other?.close();
    await api?.stop();
    await rm(data, { recursive: true, force: true });
  });

  /** Milliseconds that each ping of the other client takes, one every 25 ms, while `during` runs. */
  async function pingsOfOther(during: () => Promise<void>): Promise<number[]> {
    const times: number[] = [];
    let isOver = false;
    const pings = async (): Promise<void> => {
      while (!isOver) {
        const from = performance.now();
        other.send({ type: 'ping' });
        await other.next('pong');
        times.push(performance.now() - from);
        await sleep(25);
      }
    };
    const running = pings();
    await during().finally(() => {
      isOver = true;
    });
    await running;
    return times;
  }

  /** Sends 10,000 pings a second, over a new socket whenever one is closed. */
  async function flood(seconds: number): Promise<void> {
    const tenThousand = Buffer.concat(Array(10_000).fill(rawFrame({ first: text, payload: ping })));
    const startMs = performance.now();
    for (let n = 1; n <= seconds; n += 1) {
      const raw = await RawNavSocket.open(api.url, token);
      raw.write(tenThousand);
      await eventually(() => expect(raw.isClosedWith(4429)).toBe(true));
      await sleep(Math.max(0, startMs + 1_000 * n - performance.now()));
    }
  }

  async function everyMalformed(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round += 1)
      for (const [name, bytes] of malformed) {
        const raw = await RawNavSocket.open(api.url, token);
        raw.write(bytes);
        await eventually(() => expect([name, raw.isOver]).toEqual([name, true]), { deadlineMs: 10_000 });
        // Nothing of it was taken for a ping.
        expect([name, raw.received]).toEqual([name, expect.not.stringContaining('pong')]);
      }
  }

  proves('F34', {
    asked: '10,000 messages a second, malformed frames: closed; others unchanged',
    shown:
      '10,000 a second for 5 s, and 12 malformations: closed; the p99 of another is at most 500 ms longer',
    control: {
      in: 'platform/http/server/socket-hub.ts',
      change: "socket.close(socketCloseCodes.tooManyMessages, 'too many messages');",
      to: ';',
    },
    from: 'outside',
  });
  it('F34: floods and malformed frames end their own sockets, and others notice nothing', {
    timeout: 60_000,
  }, async () => {
    const before = percentile(await pingsOfOther(() => sleep(3_000)), 0.99);
    const attacks = [() => flood(5), () => everyMalformed(5)];
    for (const attack of attacks) {
      const times = await pingsOfOther(attack);
      expect(times.length).toBeGreaterThan(20);
      expect(percentile(times, 0.99)).toBeLessThan(before + 500);
    }
    const metrics = await (await fetch(`${api.internalUrl}/metrics`)).text();
    expect(metrics).toMatch(/^websocket_open\{[^}]*\} 1$/m);
  });
});
