import { describe, expect, it } from 'vitest';
import { heldMs, leastHoldMs } from '#processors/traffic/closure-hold.js';
import { firstPassage } from '#processors/traffic/passage-rate.js';
import { trafficDefaults } from '#processors/traffic/settings.js';
import { type Witness, walkOver, witnessOf } from '#processors/traffic/witnesses.js';

const weights = { turned: 2, passed: -2, keptPrevious: 0.5 };
const came = (driver: number, facts: Partial<Witness>): Witness =>
  witnessOf({ driver, turnedAway: true, stood: false, atMs: driver, ...facts }, facts.counts ?? true);

describe('the walk over the drivers who came', () => {
  it.each([
    { what: 'two who turned away', drivers: [{}, {}], nats: 4, turned: 2, passed: 0 },
    {
      what: 'a queue, which counts once',
      drivers: [{ stood: true }, { stood: true }],
      nats: 2,
      turned: 2,
      passed: 0,
    },
    {
      what: 'one who stood and one who did not',
      drivers: [{ stood: true }, {}],
      nats: 4,
      turned: 2,
      passed: 0,
    },
    {
      what: 'one who may not know the route',
      drivers: [{ keptPrevious: true }],
      nats: 0.5,
      turned: 1,
      passed: 0,
    },
    { what: 'one whom the test has used', drivers: [{ counts: false }, {}], nats: 2, turned: 1, passed: 0 },
    {
      what: 'one who passed of three',
      drivers: [{}, {}, { turnedAway: false }],
      nats: 2,
      turned: 2,
      passed: 1,
    },
    { what: 'as many as turned away', drivers: [{}, { turnedAway: false }], nats: 0, turned: 0, passed: 0 },
    { what: 'one who passed first', drivers: [{ turnedAway: false }, {}], nats: 2, turned: 1, passed: 0 },
  ])('$what', ({ drivers, nats, turned, passed }) => {
    const walk = walkOver(
      drivers.map((facts, driver) => came(driver, facts)),
      weights,
    );
    expect({ ...walk, turned: walk.turned.length }).toEqual({ turned, passed, nats });
  });

  it('begins anew from zero, and forgets who turned away before', () => {
    const drivers = [{}, { turnedAway: false }, {}, {}, { turnedAway: false }];
    const { turned, passed, nats } = walkOver(
      drivers.map((facts, driver) => came(driver, facts)),
      weights,
    );
    expect([turned.map(({ driver }) => driver), passed, nats]).toEqual([[2, 3], 1, 2]);
  });
});

describe('how long a closure lasts without new evidence', () => {
  const settings = {
    ...trafficDefaults.closure,
    holdMs: 100_000,
    holdMinMs: 10_000,
    foundTimes: 4,
    passersMin: 5,
  };
  const rateOf = (passages: number) => ({
    ...firstPassage({ driver: 1, enteredMs: 0, leftMs: 1 }),
    count: passages,
    exposureMs: settings.holdMs,
  });

  it('all of it where enough drivers come who are not guided', () => {
    expect(leastHoldMs(settings, rateOf(settings.passersMin), 1)).toBe(100_000);
    expect(leastHoldMs(settings, rateOf(settings.passersMin - 1), 1)).toBe(10_000);
  });

  it('else as long as its finding says, within bounds', () => {
    const few = rateOf(0);
    expect([1, 2_500, 2_501, 25_000, 30_000].map((foundMs) => leastHoldMs(settings, few, foundMs))).toEqual([
      10_000, 10_000, 10_004, 100_000, 100_000,
    ]);
    expect(leastHoldMs({ ...settings, passersMin: 0.5 }, undefined, 1)).toBe(10_000);
  });

  it('a share of its age, if that is more, up to a greatest time', () => {
    const hold = { ...settings, holdShare: 0.5, holdMaxMs: 300_000 };
    expect([0, 200_000, 200_002, 600_000, 900_000].map((ageMs) => heldMs(hold, 100_000, ageMs))).toEqual([
      100_000, 100_000, 100_001, 300_000, 300_000,
    ]);
  });
});
