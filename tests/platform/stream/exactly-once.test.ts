import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { each } from '#platform/stream/input.js';
import { ok } from '#platform/stream/outcome.js';
import { type Processor, startProcessor, type Topology } from '#platform/stream/start-processor.js';
import { type Logger, silentLogger } from '#platform/telemetry/logger.js';
import { proves } from '#tools/acceptance/proves.js';
import { compiledTree } from '../../compiled-tree.js';
import { eventually } from '../../eventually.js';
import { progress, type StreamWorld, streamWorld } from './stream-world.js';

const TOPIC = 'nav.progress.v1';
const USERS = 40;

/**
 * Sums the times per user until nothing is left to read, then prints the sums. `snapshot` stores them as the
 * runner does; the control `apart` stores the same state after each batch too, but uses the offset of the
 * group's commit.
 */
const summing = `
  import { readFileSync, renameSync, writeFileSync, existsSync } from 'node:fs';
  import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
  import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
  import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
  import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
  import { startProcessor } from '#platform/stream/start-processor.js';
  import { each } from '#platform/stream/input.js';
  import { ok } from '#platform/stream/outcome.js';
  const [folder, mode] = process.argv.slice(1);
  const log = await LmdbEventLog.open({ folder: folder + '/log' });
  const codecs = await openTopicCodecs(await openSchemaRegistry('embedded:' + folder + '/schemas'));
  const objects = await DirectoryObjectStore.open(folder + '/objects');
  const states = new Map();
  const file = (partition) => folder + '/apart-' + partition + '.json';
  const pause = () => new Promise((resolve) => setTimeout(resolve, 2));
  let lag;
  if (mode === 'snapshot') {
    const processor = await startProcessor({
      group: 'sums', startAt: 'earliest',
      state: {
        fresh: (partition) => { const sums = {}; states.set(partition, sums); return sums; },
        encode: (sums) => Buffer.from(JSON.stringify(sums)),
        decode: (bytes, partition) => { const sums = JSON.parse(bytes); states.set(partition, sums); return sums; },
      },
      inputs: [each(codecs.navProgress, async ({ message }, { state }) => {
        state[message.userId] = (state[message.userId] ?? 0) + message.timeMs;
        if (message.timeMs % 10 === 0) await pause();
        return ok;
      })],
    }, { log, deadLetters: codecs.deadLetter, objects, limits: { snapshotEveryMs: 30, batchRecordsMax: 100 } });
    await processor.ready;
    lag = async () => [...(await processor.lag()).values()].reduce((a, b) => a + b, 0);
  } else {
    await log.consume({
      group: 'sums', topics: ['nav.progress.v1'], startAt: 'earliest', maxBatchRecords: 100,
      onAssigned: async (partitions) => {
        for (const { partition } of partitions)
          states.set(partition, existsSync(file(partition)) ? JSON.parse(readFileSync(file(partition))) : {});
        return [];
      },
      onBatch: async ({ partition, records }) => {
        const sums = states.get(partition);
        for (const { value } of records) {
          const { userId, timeMs } = codecs.navProgress.decode(value);
          sums[userId] = (sums[userId] ?? 0) + timeMs;
        }
        writeFileSync(file(partition) + '.new', JSON.stringify(sums));
        renameSync(file(partition) + '.new', file(partition));
        await pause();
      },
    }).then((consumer) => consumer.ready);
    lag = async () => {
      const [ends, committed] = [await log.offsets('nav.progress.v1'), await log.committed('sums', 'nav.progress.v1')];
      return ends.reduce((sum, { end }, p) => sum + end - Math.max(0, committed[p].offset), 0);
    };
  }
  console.log('begun');
  while ((await lag()) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  console.log('sums ' + JSON.stringify(Object.assign({}, ...states.values())));
  // Not by exit(): with an open environment, LMDB's writer sometimes does not end, and exit() waits for it.
  process.kill(process.pid, 'SIGKILL');
`;

describe('exactly once', () => {
  let world: StreamWorld;
  const open: Processor[] = [];
  beforeEach(async () => {
    world = await streamWorld();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((processor) => processor.close()));
    await world.close();
  });

  /** One run of the summing program; killed after `killAfterMs` unless it has finished before. */
  async function live(
    mode: 'snapshot' | 'apart',
    killAfterMs?: number,
  ): Promise<Record<string, number> | undefined> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', summing, world.folder, mode], {
      cwd: compiledTree,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    let timer: NodeJS.Timeout | undefined;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('begun') && killAfterMs !== undefined)
        timer ??= setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    });
    await once(child, 'close');
    clearTimeout(timer);
    const sums = /^sums (.*)$/m.exec(said);
    return sums === null ? undefined : (JSON.parse(sums[1]!) as Record<string, number>);
  }

  async function appendAll(count: number): Promise<Record<string, number>> {
    const all = Array.from({ length: count }, (_, i) => progress(`u${i % USERS}`, i));
    await world.appendProgress(all);
    const sums: Record<string, number> = {};
    for (const { userId, timeMs } of all) sums[userId] = (sums[userId] ?? 0) + timeMs;
    return sums;
  }

  /** Runs that are killed after increasing times, until one of them finishes. */
  async function liveThrough(mode: 'snapshot' | 'apart') {
    let killed = 0;
    for (;;) {
      const sums = await live(mode, killed < 6 ? 40 + 37 * killed : undefined);
      if (sums !== undefined) return { sums, killed };
      killed++;
    }
  }

  proves('F10', {
    asked: 'kill -9 in a batch, 20 times, and rebalances: each effect once, aggregates equal a recount',
    shown: 'a program that is killed six times in the middle of batches: its sums equal a recount of the log',
    scaled: '6 : 20; rebalances are in the test below',
    control: {
      test: 'F10 control: the same check finds a state that is stored apart from its offset',
    },
    from: 'outside',
  });
  it('F10: sums equal a recount after kill -9 in the middle of batches', async () => {
    const recount = await appendAll(4_000);
    const { sums, killed } = await liveThrough('snapshot');
    expect(killed).toBeGreaterThanOrEqual(3);
    expect(sums).toEqual(recount);
  });

  it('F10 control: the same check finds a state that is stored apart from its offset', async () => {
    // A kill may by chance happen between two batches, where nothing is inconsistent; but not every time.
    for (let trial = 0; trial < 5; trial++) {
      const recount = await appendAll(4_000);
      const { sums } = await liveThrough('apart');
      if (JSON.stringify(Object.entries(sums).sort()) !== JSON.stringify(Object.entries(recount).sort()))
        return;
      await world.close();
      world = await streamWorld();
    }
    expect.fail('five trials of a broken program and none was found out');
  });

  function sumsOf(states: Map<number, Record<string, number>>): Topology<Record<string, number>> {
    return {
      group: 'sums',
      startAt: 'earliest',
      state: {
        fresh: () => ({}),
        encode: (sums) => Buffer.from(JSON.stringify(sums)),
        decode: (bytes) => JSON.parse(Buffer.from(bytes).toString()) as Record<string, number>,
      },
      inputs: [
        each(world.codecs.navProgress, ({ message }, { state, partition }) => {
          state[message.userId] = (state[message.userId] ?? 0) + message.timeMs;
          states.set(partition, state);
          return ok;
        }),
      ],
    };
  }

  const warned: string[] = [];
  const logger: Logger = {
    ...silentLogger,
    info: (message) => void warned.push(`info: ${message}`),
    error: (message) => void warned.push(`error: ${message}`),
    child: () => logger,
  };

  async function start(
    states: Map<number, Record<string, number>>,
    topology = sumsOf(states),
  ): Promise<Processor> {
    const processor = await startProcessor(topology, {
      ...world.deps,
      logger,
      limits: { batchRecordsMax: 20 },
    });
    open.push(processor);
    await processor.ready;
    return processor;
  }

  it('F10: members that join and leave transfer their states completely', async () => {
    const recount: Record<string, number> = {};
    const states = new Map<number, Record<string, number>>();
    const members = [await start(states)];
    for (let round = 0; round < 10; round++) {
      for (const [user, sum] of Object.entries(await appendAll(400)))
        recount[user] = (recount[user] ?? 0) + sum;
      if (round % 2 === 0) members.push(await start(states));
      else await members.shift()!.close();
    }
    await eventually(async () => {
      const ends = await world.log.offsets(TOPIC);
      const committed = await world.log.committed('sums', TOPIC);
      expect(committed.map(({ offset }) => Math.max(0, offset))).toEqual(ends.map(({ end }) => end));
    });
    expect(Object.assign({}, ...states.values())).toEqual(recount);
  });

  it('rebuilds the state from the log when its snapshot was damaged', async () => {
    const recount = await appendAll(400);
    const states = new Map<number, Record<string, number>>();
    const first = await start(states);
    await first.ready;
    await eventually(async () => expect((await first.lag()).get(TOPIC)).toBe(0));
    await first.close();
    for await (const key of world.objects.list('state/sums/')) {
      const bytes = Buffer.from((await world.objects.get(key))!);
      bytes[bytes.length - 8]! ^= 0xff;
      await world.objects.put(key, bytes);
    }
    states.clear();
    warned.length = 0;
    const second = await start(states);
    await second.ready;
    await eventually(async () => expect((await second.lag()).get(TOPIC)).toBe(0));
    expect(Object.assign({}, ...states.values())).toEqual(recount);
    expect(new Set(warned)).toContain('error: A snapshot cannot be read; the state is rebuilt from the log.');
  });

  it('rebuilds the state from the log if its snapshot has another version, without an error', async () => {
    const recount = await appendAll(400);
    const states = new Map<number, Record<string, number>>();
    const first = await start(states);
    await eventually(async () => expect((await first.lag()).get(TOPIC)).toBe(0));
    await first.close();
    states.clear();
    warned.length = 0;
    const topology = sumsOf(states);
    const decode = (): never => {
      throw new Error('it has layout 1, we read 2');
    };
    const second = await start(states, { ...topology, state: { ...topology.state!, decode } });
    await eventually(async () => expect((await second.lag()).get(TOPIC)).toBe(0));
    expect(Object.assign({}, ...states.values())).toEqual(recount);
    expect(warned).toContain('info: A snapshot is outdated; the state is rebuilt from the log.');
    expect(warned.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('continues from its snapshot without reading again what is in it', async () => {
    await appendAll(400);
    const states = new Map<number, Record<string, number>>();
    const first = await start(states);
    await first.ready;
    await eventually(async () => expect((await first.lag()).get(TOPIC)).toBe(0));
    await first.close();
    states.clear();
    const second = await start(states);
    await world.appendProgress([progress('u0', 5)]);
    await eventually(() => expect(states.size).toBe(1));
    const [state] = states.values();
    expect(state!['u0']).toBeGreaterThan(5);
    await second.close();
  });
});
