import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PublishedSpeed, speedEvent } from '#processors/traffic/publish-speed.js';
import { trafficDefaults } from '#processors/traffic/settings.js';

const { hysteresis } = trafficDefaults;
const facts = { lengthM: 500, freeFlowKph: 50, others: [] };
const figure = (kph: number) => ({ kph, probes: 9, confidence: 0.8 });

describe('publishing a speed', () => {
  it('publishes a speed that differs enough from the last one', () => {
    expect(speedEvent(undefined, figure(20), facts, 0, hysteresis)).toMatchObject({
      kind: 'speed',
      figure: { kph: 20 },
    });
    expect(speedEvent(undefined, figure(47), facts, 0, hysteresis)).toBeUndefined();
    expect(speedEvent({ kph: 20, evidenceMs: 0 }, figure(21), facts, 0, hysteresis)).toBeUndefined();
    expect(speedEvent({ kph: 20, evidenceMs: 0 }, figure(49), facts, 0, hysteresis)).toEqual({
      kind: 'cleared',
    });
  });

  it('withdraws a speed when its evidence is too old', () => {
    const published = { kph: 20, evidenceMs: 0 };
    expect(speedEvent(published, undefined, facts, hysteresis.ttlMs - 1, hysteresis)).toBeUndefined();
    expect(speedEvent(published, undefined, facts, hysteresis.ttlMs, hysteresis)).toEqual({
      kind: 'cleared',
    });
  });

  it('fades to the typical speed of the hour, and finally publishes it without probes', () => {
    let published: PublishedSpeed = { kph: 20, evidenceMs: 0, live: figure(20) };
    const said: number[] = [];
    for (let nowMs = 0; nowMs <= hysteresis.ttlMs + 60_000; nowMs += 60_000) {
      const event = speedEvent(published, undefined, facts, nowMs, hysteresis, 35);
      if (event?.kind !== 'speed') continue;
      said.push(event.figure.kph);
      const live = event.figure.probes === 0 ? {} : { live: figure(20) };
      published = { kph: event.figure.kph, evidenceMs: 0, ...live };
    }
    expect(said.length).toBeGreaterThanOrEqual(3);
    expect(said).toEqual(said.toSorted((a, b) => a - b));
    expect(said.at(-1)).toBe(35);
    expect(published.live).toBeUndefined();
    expect(speedEvent(published, undefined, facts, 1e9, hysteresis, 36)).toBeUndefined();
    expect(speedEvent(published, undefined, facts, 1e9, hysteresis, 49)).toEqual({ kind: 'cleared' });
    expect(speedEvent(undefined, undefined, facts, 1e9, hysteresis, 35)).toMatchObject({
      figure: { probes: 0 },
    });
  });

  it('M-064: never publishes a speed that the road cannot have, whatever was measured', () => {
    const kph = fc.double({ min: 1, max: 250, noNaN: true });
    fc.assert(
      fc.property(kph, fc.option(kph), fc.integer({ min: 5, max: 2_000 }), (measured, before, lengthM) => {
        const published = before === null ? undefined : { kph: before, evidenceMs: 0 };
        const event = speedEvent(published, figure(measured), { ...facts, lengthM }, 0, hysteresis);
        if (event?.kind === 'speed') {
          expect(event.figure.kph).toBeLessThanOrEqual(facts.freeFlowKph * hysteresis.fasterRatioMax);
        }
      }),
    );
  });
});
