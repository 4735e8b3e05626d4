import { beforeEach, describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { ObjectStoreUnavailable } from '#platform/object-store/object-store.js';
import { whileNobodyBuilds, whileNobodyPrunes } from '#tile-builder/prune/builds-and-prunes.js';
import { pruneLimits } from '#tile-builder/prune/limits.js';
import { MemoryObjectStore } from '../memory-object-store.js';

const turn = (): Promise<void> => new Promise((wake) => setImmediate(wake));
const says = (objects: MemoryObjectStore, key: string, untilMs: number) =>
  objects.put(key, new TextEncoder().encode(String(untilMs)));

/** Answers after a random number of turns, in which others continue. */
class SlowStore extends MemoryObjectStore {
  constructor(random: () => number) {
    super();
    const slow = async <Result>(answer: () => Promise<Result>): Promise<Result> => {
      for (let turns = Math.floor(3 * random()); turns > 0; turns--) await turn();
      return answer();
    };
    const { get, put, delete: remove, list } = MemoryObjectStore.prototype;
    this.get = (key) => slow(() => get.call(this, key));
    this.put = (key, bytes) => slow(() => put.call(this, key, bytes));
    this.delete = (key) => slow(() => remove.call(this, key));
    this.list = async function* (prefix) {
      await slow(() => Promise.resolve());
      yield* list.call(this, prefix);
    };
  }
}

describe('builds and prunes of one store', () => {
  let objects: MemoryObjectStore;
  let nowMs: number;
  const clock = (): number => nowMs;
  const prunes = () => whileNobodyBuilds(objects, () => Promise.resolve('pruned'), clock);

  beforeEach(() => {
    objects = new MemoryObjectStore();
    nowMs = 1_000_000;
  });

  it('M-043: builds and prunes never run together, nor do two prunes, in any order of answers', async () => {
    const counts = { built: 0, pruned: 0, gaveWay: 0 };
    const trial = async (seed: number): Promise<void> => {
      const random = seeded(seed);
      const store = new SlowStore(random);
      // Both sides find the announcements of dead ones.
      for (const dead of ['prune/builds/dead', 'prune/prunes/dead']) await says(store, dead, nowMs);
      let [building, pruning] = [0, 0];
      const build = async () => {
        building += 1;
        for (let at = 0; at < 5; at++) {
          expect(pruning, `seed ${seed}`).toBe(0);
          await turn();
        }
        building -= 1;
        counts.built += 1;
      };
      const prune = async () => {
        pruning += 1;
        for (let at = 0; at < 5; at++) {
          expect([building, pruning], `seed ${seed}`).toEqual([0, 1]);
          await turn();
        }
        pruning -= 1;
        return 'pruned';
      };
      const begin = async (what: () => Promise<unknown>): Promise<void> => {
        for (let turns = Math.floor(8 * random()); turns > 0; turns--) await turn();
        const outcome = await what();
        if (outcome === 'pruned') counts.pruned += 1;
        else if (what === oneBuild) return;
        else counts.gaveWay += 1;
      };
      const oneBuild = () => whileNobodyPrunes(store, build, clock);
      const onePrune = () => whileNobodyBuilds(store, prune, clock);
      await Promise.all([onePrune, onePrune, oneBuild, oneBuild].map(begin));
      expect([...store.objects.keys()].filter((key) => !key.endsWith('dead'))).toEqual([]);
    };
    await Promise.all(Array.from({ length: 300 }, (_, seed) => trial(seed + 1)));
    expect(counts.built).toBe(600);
    for (const count of [counts.pruned, counts.gaveWay]) expect(count).toBeGreaterThan(20);
  });

  it('waits a day for a build that died, and a quarter of an hour for a prune that died', async () => {
    const [believed, dead] = [pruneLimits.believedMs, pruneLimits.buildMsMax];
    expect([believed, dead]).toEqual([900_000, 86_400_000]);
    await says(objects, 'prune/builds/dead', nowMs + dead);
    const heldUp = { heldUpBy: 'prune/builds/dead', untilMs: nowMs + dead };
    expect(await prunes()).toEqual(heldUp);
    await says(objects, 'prune/prunes/dead', nowMs + believed);
    nowMs += dead - 1;
    expect(await prunes()).toEqual(heldUp);
    nowMs += 1;
    expect(await prunes()).toBe('pruned');
    expect([...objects.objects.keys()]).toEqual([]);
    await says(objects, 'prune/prunes/dead', nowMs + 1);
    expect(await prunes()).toEqual({ heldUpBy: 'prune/prunes/dead', untilMs: nowMs + 1 });
    nowMs += 1;
    expect(await prunes()).toBe('pruned');
  });

  it('builds and prunes announce the longest time that they may take', async () => {
    const said = (): number => {
      const [bytes] = objects.objects.values();
      return Number(new TextDecoder().decode(bytes)) - nowMs;
    };
    expect(await whileNobodyPrunes(objects, () => Promise.resolve(said()), clock)).toBe(86_400_000);
    expect(await whileNobodyBuilds(objects, () => Promise.resolve(said()), clock)).toBe(900_000);
  });

  it('a build waits no longer than a prune can take, whatever its clock says', async () => {
    await says(objects, 'prune/prunes/of a clock that is a year ahead', nowMs + 365 * 86_400_000);
    let looks = 0;
    objects.afterGet = (_, bytes) => {
      if (++looks === 2) nowMs += pruneLimits.believedMs;
      return bytes;
    };
    expect(await whileNobodyPrunes(objects, () => Promise.resolve('built'), clock)).toBe('built');
    expect(looks).toBe(2);
  });

  it('builds keep their outcome if the store is unavailable at the end', async () => {
    objects.delete = () => Promise.reject(new ObjectStoreUnavailable('away'));
    expect(await whileNobodyPrunes(objects, () => Promise.resolve('built'), clock)).toBe('built');
    const fault = new Error('the extract has no road');
    await expect(whileNobodyPrunes(objects, () => Promise.reject(fault), clock)).rejects.toBe(fault);
  });

  it('builds and prunes withdraw their announcement when they fail', async () => {
    const fault = new Error('the extract has no road');
    await expect(whileNobodyPrunes(objects, () => Promise.reject(fault), clock)).rejects.toBe(fault);
    await expect(whileNobodyBuilds(objects, () => Promise.reject(fault), clock)).rejects.toBe(fault);
    expect([...objects.objects.keys()]).toEqual([]);
  });
});
