import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { WireCut } from '../contracts/wire-cut.js';
import { HotelUnderFault } from './hotel-under-fault.js';
import { PostgresPair } from './postgres-pair.js';

let pair: PostgresPair;
let wire: WireCut;
let hotel: HotelUnderFault;
beforeAll(async () => {
  pair = await PostgresPair.open();
  // The address of the database, which moves to the standby.
  wire = new WireCut({ host: '127.0.0.1', port: pair.primary.port });
  await wire.mend();
  const data = await mkdtemp(join(tmpdir(), 'meridian-failover-'));
  const env = {
    CACHE: 'memory:',
    EVENT_LOG: `embedded:${join(data, 'log')}`,
    OBJECTS: `dir:${join(data, 'objects')}`,
    SQL: `postgres://meridian@127.0.0.1:${wire.port}/meridian`,
  };
  hotel = await HotelUnderFault.open({ rooms: 400, data, env });
});
afterAll(async () => {
  await hotel?.close();
  await wire?.cut();
  await pair?.close();
});

proves('F19', {
  asked: 'failover to a synchronous standby while it writes: nothing lost, at most 5 s, no second charge',
  shown: 'reservations: the standby is cut off, the primary is killed, the standby takes over: nothing lost',
  scaled: '15 s for 5 s, on a machine that runs other tests too',
  settings: ['no rate limits'],
  control: {
    in: 'platform/sql/postgres-sql.ts',
    change: "options: '-c synchronous_commit=on',",
    to: "options: '-c synchronous_commit=local',",
  },
  from: 'outside',
});
it('F19: a failover to the synchronous standby loses no acknowledged reservation', async () => {
  const guests = await hotel.guests(12);
  await guests.more(60);
  const from = await pair.failOver(wire);
  await guests.more(1);
  const tookMs = performance.now() - from;
  await guests.more(60);
  await guests.stop();
  expect([...guests.statuses.keys()].filter((status) => ![0, 200, 201, 409, 503].includes(status))).toEqual(
    [],
  );
  expect(await hotel.lost(guests.asked)).toEqual([]);
  await hotel.countsAreRight();
  expect(tookMs).toBeLessThan(15_000);
}, 120_000);
