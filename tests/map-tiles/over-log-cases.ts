import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BuiltMapTiles, buildMapTiles } from '#map-tiles/build/build-map-tiles.js';
import { LogShare, type ShareDeps } from '#map-tiles/over-log/distribute-squares.js';
import { renderPlannedSquares } from '#map-tiles/over-log/render-squares.js';
import { type EventLog, LogUnavailable } from '#platform/event-log/event-log.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { Processor } from '#platform/stream/start-processor.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import { deadLetter, mapSquareDrawn, topics } from '#schemas/topics.js';
import { until } from '../contracts/until.js';
import { MemoryObjectStore } from '../tile-builder/memory-object-store.js';
import { type DrawnCity, islandTown } from './drawn-city.js';

const options = { world: false, zoomMax: 12, pngZoomMax: 10 } as const;
const command = fileURLToPath(new URL('../../bin/meridian.js', import.meta.url));

/** An archipelago over several build tiles of zoom 10. */
function archipelago(): DrawnCity {
  const city = islandTown();
  for (let i = 0; i < 4; i++) {
    const [lng, lat] = [14.9 + 0.4 * i, 36 + 0.1 * i];
    city.square([lng, lat], 0.08, { natural: 'coastline' });
    city.way(
      [
        [lng + 0.01, lat + 0.01],
        [lng + 0.07, lat + 0.05],
      ],
      { highway: 'primary', name: `Road ${i}` },
    );
  }
  return city;
}

/** The options for opening a log of either kind. */
interface LogOfSquares {
  readonly log: EventLog;
  readonly codecs: TopicCodecs;
  /** Settings by which a program finds both. */
  readonly env: Readonly<Record<string, string>>;
}

export function overLogCases(name: string, open: (folder: string) => Promise<LogOfSquares>): void {
  describe(`a map that is rendered over the log, ${name}`, () => {
    let data: string;
    let log: EventLog;
    let env: LogOfSquares['env'];
    let objects: ObjectStore;
    let codecs: TopicCodecs;
    let share: LogShare;
    let alone: { readonly built: BuiltMapTiles; readonly objects: MemoryObjectStore };
    const workers: Processor[] = [];

    const work = async (): Promise<Processor> => {
      const worker = await renderPlannedSquares({ log, objects, codecs, limits: { backOffLastMs: 20 } });
      workers.push(worker);
      await worker.ready;
      return worker;
    };
    const openShare = (other: Partial<ShareDeps> = {}): Promise<LogShare> =>
      LogShare.open({ log, logger: silentLogger, objects, codecs, buildId: randomUUID(), ...other });
    const reopenShare = async (other: Partial<ShareDeps>): Promise<void> => {
      await share.close();
      share = await openShare(other);
    };
    const build = () => buildMapTiles(archipelago().elements(), objects, { ...options, share });
    const recordsOf = async (topic: string): Promise<number> => {
      const offsets = await log.offsets(topic);
      return offsets.reduce((sum, { end }) => sum + end, 0);
    };
    const expectSame = async (built: BuiltMapTiles): Promise<void> => {
      expect(built).toEqual(alone.built);
      for (const [key, bytes] of alone.objects.objects)
        expect(Buffer.from((await objects.get(key))!).equals(bytes), key).toBe(true);
    };

    beforeAll(async () => {
      const memory = new MemoryObjectStore();
      alone = { built: await buildMapTiles(archipelago().elements(), memory, options), objects: memory };
    });
    beforeEach(async () => {
      data = await mkdtemp(join(tmpdir(), 'meridian-over-log-'));
      ({ log, codecs, env } = await open(data));
      await log.createTopics(topics);
      objects = await DirectoryObjectStore.open(join(data, 'objects'));
      share = await openShare();
    });
    afterEach(async () => {
      await share.close();
      await Promise.all(workers.splice(0).map((worker) => worker.close()));
      await log.close();
      await rm(data, { recursive: true, force: true });
    });

    it(`M-043: equals the build of one process byte for byte and leaves no input, ${name}`, async () => {
      const before = await recordsOf(mapSquareDrawn.name);
      await Promise.all([work(), work()]);
      await expectSame(await build());
      expect((await recordsOf(mapSquareDrawn.name)) - before).toBeGreaterThan(5);
      await share.close();
      const left: string[] = [];
      for await (const key of objects.list('map-tiles/squares/')) left.push(key);
      expect(left).toEqual([]);
    });

    it(`M-043: a killed worker costs only time, ${name}`, async () => {
      const child = spawn(process.execPath, [command, 'tiles', 'work'], {
        // Not the object store of the environment: the inputs are in ours.
        env: { ...process.env, ...env, MERIDIAN_DATA: data, OBJECTS: `dir:${join(data, 'objects')}` },
      });
      let output = '';
      child.stdout.on('data', (chunk) => (output += chunk));
      child.stderr.on('data', (chunk) => (output += chunk));
      const ended = once(child, 'close');
      const built = build();
      try {
        await until('the first build tile', () => output.includes('rendered a build tile'));
      } finally {
        // It would render build tiles of the next test.
        child.kill('SIGKILL');
        await ended;
      }
      await work();
      await expectSame(await built);
    });

    it('a build tile that cannot be rendered fails with a sentence and is dead-lettered', async () => {
      const broken: ObjectStore = Object.create(objects, {
        get: {
          value: async (key: string) => {
            const bytes = await objects.get(key);
            return key.startsWith('map-tiles/squares/') ? bytes?.subarray(0, 40) : bytes;
          },
        },
      });
      const before = await recordsOf(deadLetter.name);
      workers.push(await renderPlannedSquares({ log, objects: broken, codecs }));
      await expect(build()).rejects.toThrow(
        /square \d+\/\d+\/\d+ of the map could not be drawn: .*not what its name says/,
      );
      expect(await recordsOf(deadLetter.name)).toBeGreaterThan(before);
    });

    it('continues when others write records that it cannot read', async () => {
      const told = new Set<string>();
      const shared: ShareDeps['log'] = {
        offsets: (topic) => log.offsets(topic),
        append: (...args) => log.append(...args),
        async *read(topic, partition, offset) {
          const value = Buffer.from('no message of ours');
          if (!told.has(topic))
            yield { offset: offset - 1, timestampMs: 0, key: 'theirs', value, headers: {} };
          told.add(topic);
          yield* log.read(topic, partition, offset);
        },
      };
      await reopenShare({ log: shared });
      await work();
      await expectSame(await build());
      expect(told).toEqual(new Set([mapSquareDrawn.name, deadLetter.name]));
    });

    it('F5: waits during an outage of the log', async () => {
      let [appends, reads] = [2, 3];
      const away = new LogUnavailable('away', { retriable: true });
      const flickering: ShareDeps['log'] = {
        offsets: (topic) => log.offsets(topic),
        append: async (...args) => (appends-- > 0 ? Promise.reject(away) : log.append(...args)),
        read: (...args) => {
          if (reads-- > 0) throw away;
          return log.read(...args);
        },
      };
      await reopenShare({ log: flickering });
      await work();
      await expectSame(await build());
      expect([appends, reads].every((left) => left < 0)).toBe(true);
    });

    it('fails with a hint if no worker renders', async () => {
      await reopenShare({ silenceMs: 50 });
      await expect(build()).rejects.toThrow(/meridian tiles work/);
    });
  });
}
