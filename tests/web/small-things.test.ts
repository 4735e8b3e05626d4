import { describe, expect, it } from 'vitest';
import { distanceText, durationText, remainingText } from '#web/format/format.js';
import { parsePosition, positionText } from '#web/format/position-text.js';
import { problemSentence } from '#web/http/ask.js';
import { pollDelayMs } from '#web/http/poll.js';
import { retryDelayMs } from '#web/http/retry.js';
import { reconnectDelayMs } from '#web/navigation/reconnect.js';
import { createStore } from '#web/state/store.js';

describe('createStore', () => {
  it('notifies a listener only of its selected part, with the previous value', () => {
    const store = createStore({ a: 1, b: 1 });
    const heard: [number, number][] = [];
    const stop = store.watch(
      (state) => state.a,
      (now, before) => heard.push([now, before]),
    );
    store.set({ b: 2 });
    store.set({ a: 2 });
    store.set({ a: 2 });
    stop();
    store.set({ a: 3 });
    expect(heard).toEqual([[2, 1]]);
  });
});

describe('problemSentence', () => {
  it('uses the detail of a problem, else its title, else the status', () => {
    expect(problemSentence(404, { title: 'Not found', detail: 'No road is here' })).toBe('No road is here.');
    expect(problemSentence(404, { title: 'Not found' })).toBe('Not found.');
    expect(problemSentence(502, null)).toBe('The server returned status 502.');
    expect(problemSentence(503, null)).toBe('The server is busy. Try again in a moment.');
    const errors = [{ pointer: '/query/origin', message: 'A latitude is at most 90.' }];
    expect(problemSentence(400, { title: 'A field is wrong.', errors })).toBe(
      'A field is wrong (/query/origin: A latitude is at most 90.).',
    );
  });
});

describe('retry delays', () => {
  it('polls more slowly with each failure, up to 15 s', () => {
    expect([0, 1, 2, 10].map((failures) => pollDelayMs(1_000, failures))).toEqual([
      1_000, 2_000, 4_000, 15_000,
    ]);
  });

  it("retries a tile after the server's delay, at most 7.5 s, with jitter between clients", () => {
    expect(retryDelayMs(1, '1', () => 0)).toBe(1_000);
    expect(retryDelayMs(1, '1', () => 1)).toBe(1_500);
    expect(retryDelayMs(3, null, () => 0)).toBe(1_200);
    expect(retryDelayMs(1, '3600', () => 0)).toBe(5_000);
    expect(retryDelayMs(1, 'Sat, 21 Nov 2026 10:00:00 GMT', () => 0)).toBe(300);
  });

  it('reconnects within a window that doubles to 15 s', () => {
    expect([0, 1, 3, 30].map((attempt) => reconnectDelayMs(attempt, () => 1))).toEqual([
      2_000, 4_000, 15_000, 15_000,
    ]);
    expect(reconnectDelayMs(30, () => 0)).toBe(0);
  });
});

describe('texts', () => {
  it('rounds distances and durations like a road sign', () => {
    expect([4, 444, 960, 1_240, 12_400].map((metres) => distanceText(metres))).toEqual([
      '0 m',
      '440 m',
      '1.0 km',
      '1.2 km',
      '12 km',
    ]);
    expect([20, 95, 3_700].map(durationText)).toEqual(['20 s', '2 min', '1 h 2 min']);
  });

  it('counts down to an expiry, and accepts none', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(remainingText('2026-01-01T00:09:05Z', now)).toBe('9:05');
    expect(remainingText('2026-01-01T02:01:00Z', now)).toBe('2 h 1 min');
    expect(remainingText('2025-01-01T00:00:00Z', now)).toBe('0:00');
    expect(remainingText(null, now)).toBeNull();
  });

  it('reads a typed place, latitude first, and rejects an invalid one', () => {
    expect(parsePosition(' 57.7089,11.9746 ')).toEqual({ lat: 57.7089, lng: 11.9746 });
    expect(parsePosition('57.7 11.9')).toEqual({ lat: 57.7, lng: 11.9 });
    expect(parsePosition(positionText({ lat: -1.5, lng: 179 }))).toEqual({ lat: -1.5, lng: 179 });
    for (const wrong of ['', '57.7', '91, 0', '0, 181', 'a, b', '1, 2, 3', '1e1, 2']) {
      expect(parsePosition(wrong)).toBeNull();
    }
  });
});
