import { renameSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChangingMap } from '#bench/map-tiles/changing-map.js';
import { writeOsc } from '#bench/map-tiles/write-osc.js';
import { PbfFile } from '#bench/map-tiles/write-pbf.js';
import { seeded } from '#bench/routing/seeded.js';
import { currentRelease } from '#map-data/release/release.js';
import { ObjectStoreUnavailable } from '#platform/object-store/object-store.js';
import { InvalidMapSource } from '#schemas/osm-sink.js';
import { buildRelease } from '#tile-builder/build-release.js';
import { type FollowedRelease, followChanges } from '#tile-builder/follow/follow-changes.js';
import { readPartition } from '#tile-builder/tiles/previous-tileset.js';
import { randomChange, smallTown } from '../../osm/random-changes.js';
import { MemoryObjectStore } from '../memory-object-store.js';

const drawn = { map: { world: false, zoomMax: 8, pngZoomMax: 4 } } as const;

let folder: string;
let extract: string;
let changes: string;
let model: ChangingMap;
let objects: MemoryObjectStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-follow-'));
  extract = join(folder, 'town.osm.pbf');
  changes = join(folder, 'changes');
  await mkdir(changes);
  model = new ChangingMap();
  smallTown(model.sink);
  const pbf = new PbfFile(extract);
  model.play(pbf.sink);
  pbf.end();
  objects = new MemoryObjectStore();
});
afterEach(() => rm(folder, { recursive: true }));

const random = seeded(11);
/** A change of the model as a file; returns its content. */
async function change(name: string): Promise<string> {
  const drawnUp = randomChange(model, random);
  const text = writeOsc(drawnUp);
  model.apply(drawnUp);
  await writeFile(join(changes, `${name}.part`), name.endsWith('.gz') ? gzipSync(text) : text);
  await rename(join(changes, `${name}.part`), join(changes, name));
  return text;
}

/** Follows until `act`, which is called with each release, stops it. */
async function follow(
  act: (release: FollowedRelease, times: number) => Promise<'go on' | 'enough'>,
  options: {
    readonly reuse?: boolean;
    readonly onFault?: (fault: Error) => Promise<void>;
    readonly onProgress?: () => void;
  } = {},
): Promise<void> {
  const stop = new AbortController();
  let times = 0;
  await followChanges(objects, {
    ...drawn,
    reuse: options.reuse ?? true,
    ...{ extract, folder: changes, intervalMs: 5, signal: stop.signal },
    onRelease: async (release) => {
      if ((await act(release, ++times)) === 'enough') stop.abort();
    },
    onFault: (fault) => options.onFault?.(fault),
    onProgress: () => options.onProgress?.(),
  });
}

async function expectBuiltFromModel(): Promise<void> {
  const scratch = new MemoryObjectStore();
  const partition = await readPartition(objects, (await currentRelease(objects))!.tilesetId);
  await buildRelease({ kind: 'elements', read: (sink) => model.play(sink) }, scratch, {
    ...drawn,
    partition,
  });
  for (const [key, bytes] of scratch.objects)
    if (!key.startsWith('build-memo/')) expect(Buffer.compare(objects.objects.get(key)!, bytes), key).toBe(0);
}

describe('following change files', () => {
  it('builds the extract with the existing changes, then new ones, all waiting at once', async () => {
    await change('001.osc');
    await follow(async ({ newFiles, standing }, times) => {
      await expectBuiltFromModel();
      if (times === 1) {
        expect([newFiles, standing.files, standing.last]).toEqual([1, 1, '001.osc']);
        await change('002.osc.gz');
        return 'go on';
      }
      expect([newFiles, standing.files, standing.last]).toEqual([1, 2, '002.osc.gz']);
      return 'enough';
    });
    await change('003.osc');
    await change('004.osc');
    await follow(async ({ newFiles, standing }) => {
      await expectBuiltFromModel();
      // For a restarted builder all files are new, and two of them were done before.
      expect([newFiles, standing.files]).toEqual([4, 4]);
      return 'enough';
    });
  });

  it('starts again only with the changes that the release was built of', async () => {
    await change('1.osc');
    const second = await change('2.osc');
    const enough = () => Promise.resolve('enough' as const);
    await follow(enough);
    await writeFile(join(changes, '2.osc'), `${second}\n`);
    await expect(follow(enough)).rejects.toThrow(
      /built of 2 change files up to 2.osc, which are not there any more as they were/,
    );
    await rm(join(changes, '2.osc'));
    await expect(follow(enough)).rejects.toThrow(/put them back/);
    await writeFile(join(changes, '2.osc'), second);
    await follow(enough);
    await rm(join(changes, '1.osc'));
    await expect(follow(enough)).rejects.toThrow(/put them back/);
    // Another extract starts again.
    const pbf = new PbfFile(extract);
    model.play(pbf.sink);
    pbf.end();
    await rm(join(changes, '2.osc'));
    await follow(async ({ standing }) => {
      await expectBuiltFromModel();
      expect(standing.files).toBe(0);
      return 'enough';
    });
  });

  it('builds from scratch when requested, with the existing files', async () => {
    await change('1.osc');
    await follow(() => Promise.resolve('enough'));
    await rm(join(changes, '1.osc'));
    await follow(({ standing }) => Promise.resolve(standing.files === 0 ? 'enough' : 'go on'), {
      reuse: false,
    });
  });

  it('rejects an extract that is replaced while it is read, and builds nothing of it', async () => {
    const other = join(folder, 'other.osm.pbf');
    await copyFile(extract, other);
    let exchanged = 0;
    const following = follow(async () => 'enough', {
      onProgress: () => {
        if (exchanged++ === 0) renameSync(other, extract);
      },
    });
    await expect(following).rejects.toThrow(InvalidMapSource);
    await expect(following).rejects.toThrow('was exchanged while it was read');
    expect(exchanged).toBeGreaterThan(0);
    expect(objects.objects.size).toBe(0);
  });

  it('waits for a file that is still written, and for a late one of a series', async () => {
    await change('1.osc');
    const text = await change('2.osc');
    await writeFile(join(changes, '2.osc'), text.slice(0, -20));
    await rename(join(changes, '2.osc'), join(folder, 'half'));
    await change('3.osc');
    const faults: string[] = [];
    await follow(
      async ({ standing }) => {
        if (standing.files < 3) return 'go on';
        await expectBuiltFromModel();
        return 'enough';
      },
      {
        onFault: async (fault) => {
          faults.push(fault.message);
          if (faults.length === 1) await copyFile(join(folder, 'half'), join(changes, '2.osc'));
          else await writeFile(join(changes, '2.osc'), text);
        },
      },
    );
    expect(faults[0]).toMatch(/3.osc comes after 1.osc/);
    expect(faults[1]).toMatch(/2.osc: unclosed tag: \w+ at line/);
  });

  it('retries when the store is unavailable, as long as it takes', async () => {
    await change('1.osc');
    let [away, lostStandings] = [5, 1];
    objects.beforePut = (key) => {
      // Finally it is unavailable when the release is published and its progress is to be written.
      if (away-- > 0 || (key.startsWith('follow/') && lostStandings-- > 0))
        throw new ObjectStoreUnavailable('the store did not answer');
    };
    const faults: string[] = [];
    await follow(
      async ({ newFiles }) => {
        await expectBuiltFromModel();
        expect(newFiles).toBe(1);
        return 'enough';
      },
      { onFault: (fault) => Promise.resolve(void faults.push(fault.message)) },
    );
    expect(faults).toEqual(Array.from({ length: 6 }, () => 'the store did not answer'));
  });

  it('ends with a file that stays damaged: earlier changes serve, none of the file does', async () => {
    await change('1.osc');
    await writeFile(join(changes, '2.osc'), '<osmChange><delete><way id="101"/></delete></osmChang>');
    let faults = 0;
    await expect(
      follow(
        async ({ standing }) => {
          expect(standing.files).toBe(1);
          await expectBuiltFromModel();
          return 'go on';
        },
        {
          onFault: () => {
            faults++;
            return Promise.resolve();
          },
        },
      ),
    ).rejects.toThrow(/2\.osc: .* at line 1, column \d+; the change file is damaged/);
    expect(faults).toBe(3);
    await expectBuiltFromModel();
  });
});
