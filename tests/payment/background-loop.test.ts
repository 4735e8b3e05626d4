import { describe, expect, it } from 'vitest';
import { startLoop } from '#payment/executor/background-loop.js';
import { InFlightCalls } from '#payment/executor/in-flight-calls.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';

/** Longer than any test: anything that happens was caused by a wake-up. */
const neverMs = 1_000_000;

describe('a loop in the background', () => {
  it('P-051: when woken during a round it checks again, even if the round found nothing', async () => {
    const ends: (() => void)[] = [];
    const loop = startLoop('test', neverMs, silentLogger, () => {
      return new Promise<boolean>((resolve) => ends.push(() => resolve(false)));
    });
    loop.wake();
    expect(ends).toHaveLength(1);
    loop.wake();
    ends[0]!();
    await eventually(() => expect(ends).toHaveLength(2));
    ends[1]!();
    await loop.close();
    expect(ends).toHaveLength(2);
  });

  it('rests after a round, and handles a wake-up during the round once', async () => {
    let rounds = 0;
    const loop = startLoop('test', neverMs, silentLogger, () => Promise.resolve(++rounds < 0), 30);
    loop.wake();
    await eventually(() => expect(rounds).toBe(1));
    for (let wake = 0; wake < 100; wake += 1) loop.wake();
    await eventually(() => expect(rounds).toBe(2));
    await loop.close();
    expect(rounds).toBe(2);
  });

  it('continues after a failed round', async () => {
    let rounds = 0;
    const loop = startLoop('test', 1, silentLogger, async () => {
      rounds += 1;
      throw new Error('unavailable');
    });
    await eventually(() => expect(rounds).toBeGreaterThan(2));
    await loop.close();
  });
});

proves('P-068', {
  asked: 'before the reply, before the redirect, after the poll, during a crash: the same state',
  shown:
    'the webhook waits for the call in progress and for no other; the orders of arrival in webhook-arrivals',
});
describe('P-068: a webhook that arrives while the response is in transit', () => {
  it('waits until the response is stored, also if storing fails, and for no other order', async () => {
    const calls = new InFlightCalls();
    const ends: ((error?: Error) => void)[] = [];
    const call = () =>
      new Promise<void>((resolve, reject) => {
        ends.push((error) => (error === undefined ? resolve() : reject(error)));
      });
    const first = calls.run('a', call);
    const second = calls.run('b', call).catch(() => {});
    let over = '';
    const a = calls.over('a', neverMs).then(() => (over += 'a'));
    const b = calls.over('b', neverMs).then(() => (over += 'b'));
    await calls.over('c', neverMs);
    expect(over).toBe('');
    ends[1]!(new Error('lost'));
    await Promise.all([second, b]);
    expect(over).toBe('b');
    ends[0]!();
    await Promise.all([first, a]);
    expect(over).toBe('ba');
    await calls.over('a', neverMs);
  });

  it('stops waiting after a limit', async () => {
    const calls = new InFlightCalls();
    void calls.run('a', () => new Promise(() => {}));
    await calls.over('a', 1);
    await calls.over('a', 0);
  });
});
