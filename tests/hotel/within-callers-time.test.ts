import { expect, it, onTestFinished, vi } from 'vitest';
import { withinCallersTime } from '#hotel/http/within-callers-time.js';
import type { HttpAnswer, HttpRequest } from '#platform/http/http-types.js';
import { getHotel } from '#schemas/http/hotels.js';

const done: HttpAnswer = { status: 200, body: 'done', headers: { etag: '"1"' }, isKept: true };

/** The answer of an operation that ends, or never does. */
async function answerTo(
  prefer: string | undefined,
  handle: () => HttpAnswer | Promise<HttpAnswer> = async () => done,
): Promise<HttpAnswer> {
  const [route] = withinCallersTime([{ contract: getHotel, priority: 'navigation', handle }]);
  const request = { header: (name: string) => (name === 'prefer' ? prefer : undefined) } as HttpRequest;
  return (await route!.handle(request)) as HttpAnswer;
}

it.each([
  ['wait=5', 'wait=5'],
  ['WAIT = "7"', 'wait=7'],
  ['respond-async, wait=9; x=1, wait=8', 'wait=9'],
  ['wait=999999', 'wait=3600'],
])('%s is a time of the caller', async (prefer, applied) => {
  expect(await answerTo(prefer)).toEqual({
    ...{ status: 200, body: 'done' },
    headers: { etag: '"1"', 'preference-applied': applied },
  });
});

it.each([undefined, '', 'respond-async', 'waiting=1', 'x; wait=3'])('%s is none', async (prefer) => {
  expect(await answerTo(prefer)).toBe(done);
});

it.each(['wait', 'wait=', 'wait=0', 'wait=-1', 'wait=1.5', 'wait=soon', 'wait=1e3', 'wait=12345678901'])(
  '%s is refused, and nothing is done',
  async (prefer) => {
    let calls = 0;
    const answer = await answerTo(prefer, () => {
      calls += 1;
      return done;
    });
    expect([answer.status, answer.problem?.code, calls]).toEqual([400, 'malformed-request', 0]);
  },
);

it('an operation that does not end is answered with 503 after the time, and not before', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let answer: HttpAnswer | undefined;
  const asked = answerTo('wait=2', () => new Promise(() => undefined)).then((it) => {
    answer = it;
  });
  await vi.advanceTimersByTimeAsync(1_999);
  expect(answer).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await asked;
  expect(answer).toMatchObject({
    status: 503,
    headers: { 'retry-after': '1', 'preference-applied': 'wait=2' },
    problem: { detail: expect.stringContaining('2 s') },
  });
});

it('an answer that is there at once, and a failure, are passed on', async () => {
  expect(await answerTo('wait=1', () => done)).toBe(done);
  await expect(answerTo('wait=1', async () => Promise.reject(new Error('a fault')))).rejects.toThrow(
    'a fault',
  );
});
