import { describe, expect, test } from 'vitest';
import { feedKeptMs } from '#api/http/limits.js';
import { KeptFeed } from '#api/traffic/kept-feed.js';

const request = (headers: Readonly<Record<string, string>> = {}) => ({
  header: (name: string) => headers[name],
});

function feed() {
  const state = { nowMs: 0, revision: 'a', writes: 0, fails: false };
  let release: (() => void) | undefined;
  const kept = new KeptFeed({
    contentType: 'text/plain',
    revision: () => state.revision,
    freshMs: 100,
    nowMs: () => state.nowMs,
    async write() {
      state.writes++;
      const text = `${state.revision} ${state.writes}`;
      if (state.fails) throw new Error('no');
      if (release !== undefined) await new Promise<void>((resolve) => (release = resolve));
      return state.revision === 'nothing' ? undefined : text;
    },
  });
  return {
    state,
    textOf: async () => Buffer.from((await kept.answer(request())).body as Uint8Array).toString(),
    answer: (headers?: Readonly<Record<string, string>>) => kept.answer(request(headers)),
    /** From now on a write waits until what this returns is called. */
    hold: () => {
      release = () => undefined;
      return () => release!();
    },
  };
}

describe('a feed that is kept', () => {
  test('is written again when it has changed and is no longer fresh, or is old', async () => {
    const { state, textOf } = feed();
    expect(await textOf()).toBe('a 1');
    state.revision = 'b';
    state.nowMs = 99;
    expect(await textOf()).toBe('a 1');
    state.nowMs = 100;
    expect(await textOf()).toBe('b 2');
    state.nowMs = 100 + feedKeptMs - 1;
    expect(await textOf()).toBe('b 2');
    state.nowMs = 100 + feedKeptMs;
    expect(await textOf()).toBe('b 3');
  });

  test('is written by one at a time, however long that takes', async () => {
    const { state, textOf, hold } = feed();
    const finish = hold();
    const first = textOf();
    state.revision = 'b';
    state.nowMs = feedKeptMs;
    const second = textOf();
    await Promise.resolve();
    finish();
    expect([await first, await second, state.writes]).toEqual(['a 1', 'a 1', 1]);
  });

  test('is tried again after a failure', async () => {
    const { state, textOf } = feed();
    state.fails = true;
    await expect(textOf()).rejects.toThrow('no');
    state.fails = false;
    expect(await textOf()).toBe('a 2');
  });

  test('has a tag for each encoding, and no content where there is nothing to say', async () => {
    const { state, answer } = feed();
    const plain = await answer();
    const zipped = await answer({ 'accept-encoding': 'gzip' });
    expect(zipped.headers!['content-encoding']).toBe('gzip');
    expect(zipped.headers!['etag']).not.toBe(plain.headers!['etag']);
    const same = await answer({ 'if-none-match': plain.headers!['etag']! });
    expect([same.status, same.body]).toEqual([304, undefined]);
    state.revision = 'nothing';
    state.nowMs = 100;
    expect((await answer()).status).toBe(204);
  });
});
