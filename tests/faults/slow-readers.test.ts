import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processResidentMib } from '#bench/process-cpu.js';
import type { ClientFrame } from '#schemas/nav-stream.js';
import { proves } from '#tools/acceptance/proves.js';
import { openNavSocket } from '../main-job/nav-socket.js';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf } from '../programs/drivers-of.js';
import type { Driver } from '../programs/recorded-senders.js';
import { RawNavSocket, rawFrame } from './raw-nav-socket.js';

const readers = 20;
const rounds = 3;
/** Below the 50 frames a second that a client may send. */
const askEveryMs = 25;
const growthMibMax = 100;

const [origin, destination] = [
  { lat: 35.96, lng: 14.36 },
  { lat: 35.84, lng: 14.54 },
];

describe('clients that ask for routes and do not read them', () => {
  let data: string;
  let api: RunningProgram;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-slow-readers-'));
    api = await startProgram('api', { data });
  });
  afterAll(async () => {
    await api?.stop();
    await rm(data, { recursive: true, force: true });
  });

  /** Bytes of the frame that a resume is answered with. */
  let frameBytes = 0;
  async function navigationOf({ token }: Driver): Promise<string> {
    const socket = await openNavSocket(api.url, token);
    socket.send({ type: 'start', origin, destination });
    const started = await socket.next('started');
    frameBytes = JSON.stringify(started).length;
    socket.close();
    return started.navigation_id;
  }

  /** Asks for the route again and again, reads nothing, and returns how often it asked until it was cut. */
  async function askUntilCut({ token }: Driver, navigation_id: string): Promise<number> {
    const raw = await RawNavSocket.open(api.url, token);
    raw.pause();
    const frame: ClientFrame = { type: 'resume', navigation_id, last_id: 0 };
    const bytes = rawFrame({ first: 0x81, payload: JSON.stringify(frame) });
    const untilMs = performance.now() + 60_000;
    let asked = 0;
    for (; !raw.isOver && performance.now() < untilMs; asked += 1) {
      raw.write(bytes);
      await sleep(askEveryMs);
    }
    expect(raw.isOver).toBe(true);
    return asked;
  }

  proves('F33', {
    asked: 'a slow reader is closed at the limit; memory bounded; it resumes by version',
    shown: '20 ask for over 200 MB and read none, thrice: cut, at most 100 MiB more memory, then resumed',
    control: {
      in: 'platform/http/server/socket-hub.ts',
      change: '      backpressureBytesMax: socketBackpressureBytesMax,',
      to: '      backpressureBytesMax: socketBackpressureBytesMax * 2 ** 12,',
    },
    from: 'outside',
  });
  it('F33: readers that stop are cut, the memory is bounded, and each resumes', {
    timeout: 300_000,
  }, async () => {
    const users = Array.from({ length: readers }, (_, i) => `slow-${i}`);
    const drivers = await driversOf(data, users);
    const navigations = await Promise.all(drivers.map(navigationOf));
    const before = processResidentMib(api.pid);
    let most = before;
    const look = setInterval(() => {
      most = Math.max(most, processResidentMib(api.pid));
    }, 100);
    let askedBytes = 0;
    try {
      for (let round = 0; round < rounds; round += 1) {
        const asked = await Promise.all(drivers.map((driver, i) => askUntilCut(driver, navigations[i]!)));
        askedBytes += frameBytes * asked.reduce((all, one) => all + one, 0);
      }
    } finally {
      clearInterval(look);
    }
    expect(askedBytes).toBeGreaterThan(200e6);
    expect(most - before).toBeLessThan(growthMibMax);
    for (const [i, { token }] of drivers.entries()) {
      const socket = await openNavSocket(api.url, token);
      socket.send({ type: 'resume', navigation_id: navigations[i]!, last_id: 0 });
      expect(await socket.next('started')).toMatchObject({ id: 1, navigation_id: navigations[i] });
      socket.close();
    }
  });
});
