import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { HotelUnderFault } from './hotel-under-fault.js';
import { MemoryGroup, mayLimitMemory } from './memory-group.js';

const mib = 2 ** 20;
/** A program sizes its heap by the memory that it finds when it starts. */
const startMib = 400;
/** Above what the programs keep when they are warm. Files that they read and write would take more. */
const spareMib = 64;

// Only root may limit the memory of others.
describe.skipIf(!mayLimitMemory())('programs have little memory', () => {
  let group: MemoryGroup;
  let hotel: HotelUnderFault;
  let filler: ChildProcess | undefined;
  beforeAll(async () => {
    group = MemoryGroup.open();
    group.limit(startMib * mib);
    hotel = await HotelUnderFault.open({ rooms: 2_000, within: group.within });
  });
  afterAll(async () => {
    filler?.kill('SIGKILL');
    group?.limit(undefined);
    await hotel?.close();
    await group?.close();
  });

  /** The rest of the memory of the group is soon that of a file that is written. */
  function fillCache(file: string): void {
    const [shell, ...rest] = group.within;
    const dd = ['dd', 'if=/dev/zero', `of=${file}`, 'bs=1M', 'count=600'];
    filler = spawn(shell!, [...rest, ...dd], { stdio: 'ignore' });
  }

  proves('F40', {
    asked: 'little memory in a cgroup: sheds; nothing is killed for memory',
    shown: 'a hotel and its PostgreSQL with 64 MiB to spare, 64 guests: booked or shed, none killed or lost',
    settings: ['no rate limits', 'skipped where groups with a limit cannot be made: only root may'],
    control: {
      in: 'platform/http/admission/turn-clock.ts',
      change: '    this.#begun += 1;',
      to: '    this.#begun += 1;\n    (this.kept ??= []).push(Buffer.alloc(65_536, 1));',
    },
    from: 'outside',
  });
  it('F40: with little memory reservations are accepted or shed, and nothing is killed', {
    timeout: 300_000,
  }, async () => {
    const guests = await hotel.guests(64);
    await guests.more(3_000);
    const postgres = hotel.postgres();
    group.limit(group.keptBytes + spareMib * mib);
    const full = group.timesFull;
    fillCache(join(hotel.data, 'filler'));
    await guests.more(4_000, 120_000);
    await guests.stop();
    filler?.kill('SIGKILL');
    // The kernel had to take memory back from them.
    expect(group.timesFull).toBeGreaterThan(full);
    expect(group.kills).toBe(0);
    expect(hotel.postgres()).toBe(postgres);
    const { 201: reserved = 0, 503: shed = 0, ...otherwise } = Object.fromEntries(guests.statuses);
    expect([otherwise, shed < reserved]).toEqual([{}, true]);
    expect(await hotel.lost(guests.asked)).toEqual([]);
    await hotel.countsAreRight();
  });
});
