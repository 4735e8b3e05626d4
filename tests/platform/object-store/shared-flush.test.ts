import { describe, expect, test } from 'vitest';
import { SharedFlush } from '#platform/object-store/shared-flush.js';

/** Flushes that end when the test says so. */
function openFlushes() {
  const begun: { readonly what: string; readonly end: (error?: Error) => void }[] = [];
  const shared = new SharedFlush(
    (what) =>
      new Promise((resolve, reject) => {
        begun.push({ what, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
  );
  return { begun, shared };
}

describe('shared flushes', () => {
  test('who asks while a flush runs waits for one that begins later, which all of them share', async () => {
    const { begun, shared } = openFlushes();
    const ended: string[] = [];
    const ask = (name: string): Promise<unknown> => shared.of('a').then(() => ended.push(name));
    const first = ask('first');
    const later = [ask('second'), ask('third')];
    expect(begun).toHaveLength(1);
    begun[0]!.end();
    await first;
    await Promise.resolve();
    expect(ended).toEqual(['first']);
    expect(begun).toHaveLength(2);
    begun[1]!.end();
    await Promise.all(later);
    expect(begun).toHaveLength(2);
    void ask('last');
    expect(begun).toHaveLength(3);
  });

  test('different folders do not wait for each other', () => {
    const { begun, shared } = openFlushes();
    void shared.of('a');
    void shared.of('b');
    expect(begun.map(({ what }) => what)).toEqual(['a', 'b']);
  });

  test('an error reaches those who shared the flush, and only them', async () => {
    const { begun, shared } = openFlushes();
    const first = shared.of('a');
    const second = shared.of('a');
    begun[0]!.end(new Error('full'));
    await expect(first).rejects.toThrow('full');
    await Promise.resolve();
    begun[1]!.end();
    await expect(second).resolves.toBeUndefined();
  });
});
