import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { speedNews } from '#processors/traffic/publish-speed.js';
import { trafficDefaults } from '#processors/traffic/settings.js';

const { hysteresis } = trafficDefaults;
const facts = { lengthM: 500, freeFlowKph: 50, others: [] };
const figure = (kph: number) => ({ kph, probes: 9, confidence: 0.8 });

describe('what is said about a speed', () => {
  it('leaves when it differs enough, and stays silent near what was said', () => {
    expect(speedNews(undefined, figure(20), facts, 0, hysteresis)).toMatchObject({
      kind: 'speed',
      figure: { kph: 20 },
    });
    expect(speedNews(undefined, figure(47), facts, 0, hysteresis)).toBeUndefined();
    expect(speedNews({ kph: 20, evidenceMs: 0 }, figure(21), facts, 0, hysteresis)).toBeUndefined();
    expect(speedNews({ kph: 20, evidenceMs: 0 }, figure(49), facts, 0, hysteresis)).toEqual({
      kind: 'cleared',
    });
  });

  it('is withdrawn when its evidence is too old', () => {
    const published = { kph: 20, evidenceMs: 0 };
    expect(speedNews(published, undefined, facts, hysteresis.ttlMs - 1, hysteresis)).toBeUndefined();
    expect(speedNews(published, undefined, facts, hysteresis.ttlMs, hysteresis)).toEqual({ kind: 'cleared' });
  });

  it('M-064: never says a speed that the road does not have, whatever was measured', () => {
    const kph = fc.double({ min: 1, max: 250, noNaN: true });
    fc.assert(
      fc.property(kph, fc.option(kph), fc.integer({ min: 5, max: 2_000 }), (measured, before, lengthM) => {
        const published = before === null ? undefined : { kph: before, evidenceMs: 0 };
        const news = speedNews(published, figure(measured), { ...facts, lengthM }, 0, hysteresis);
        if (news?.kind === 'speed') {
          expect(news.figure.kph).toBeLessThanOrEqual(facts.freeFlowKph * hysteresis.fasterRatioMax);
        }
      }),
    );
  });
});
