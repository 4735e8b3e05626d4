import { beforeEach, describe, expect, it } from 'vitest';
import { distanceM } from '#routing-engine/network/earth.js';
import { CityLife } from '#simulated-city/city-life.js';
import type { CityRoads } from '#simulated-city/city-roads.js';
import type { CommuterPorts } from '#simulated-city/commuter.js';
import type { NavClient } from '#simulated-city/nav-client.js';
import type { LocationTuple, PlatformClient } from '#simulated-city/platform-client.js';
import { type ScenarioName, scenarioNames } from '#simulated-city/scenarios.js';
import { gridRoads } from './grid-roads.js';

const minuteMs = 60_000;
const eventMin = 20;
const roads = gridRoads(30);

interface Sent {
  readonly driver: string;
  readonly loc: LocationTuple;
  readonly atMs: number;
}

let sent: Sent[];
let trips: string[];
/** Of guided trips, from their origin straight to their destination. */
let lengthsM: number[];
beforeEach(() => {
  sent = [];
  trips = [];
  lengthsM = [];
});

interface CityOptions {
  readonly minutes: number;
  readonly drivers?: number;
  readonly town?: CityRoads;
}

/** Runs the minutes of a city and keeps what its phones send. */
async function live(
  scenario: ScenarioName,
  { minutes, drivers = 24, town = roads }: CityOptions,
  each: (minute: number, life: CityLife) => void = () => {},
): Promise<CityLife> {
  let nowMs = 0;
  const client: PlatformClient = {
    token: async (sub) => sub,
    async sendBatch(driver, _, locs) {
      for (const loc of locs) sent.push({ driver, loc, atMs: nowMs });
      return { outcome: 'accepted' };
    },
    close: async () => {},
  };
  const silent: NavClient = { position: () => {}, end: () => {} };
  const navigate: CommuterPorts['navigate'] = (token, from, to) => {
    trips.push(token);
    lengthsM.push(distanceM(from.lng, from.lat, to.lng, to.lat));
    return silent;
  };
  const world = { closureEveryMs: 0, traffic: 'free' } as const;
  const life = new CityLife(town, { drivers, seed: 3, scenario, world }, { client, navigate }, nowMs);
  for (; nowMs < minutes * minuteMs; nowMs += 1_000) {
    life.tick(nowMs, 1);
    await Promise.resolve();
    if (nowMs % minuteMs === 0) each(nowMs / minuteMs, life);
  }
  return life;
}

/** Phones with a point of these minutes, `to` excluded. */
const phones = (fromMin: number, toMin: number): number =>
  new Set(
    sent
      .filter(({ loc: [, , timeMs] }) => timeMs >= fromMin * minuteMs && timeMs < toMin * minuteMs)
      .map(({ driver }) => driver),
  ).size;

const latestDelayMin = (): number => Math.max(...sent.map(({ loc, atMs }) => (atMs - loc[2]) / minuteMs));

describe('scenarios of the simulated city', () => {
  it('every scenario runs, and the same seed sends the same points', async () => {
    for (const scenario of scenarioNames) {
      await live(scenario, { minutes: 3 });
      const first = sent;
      sent = [];
      await live(scenario, { minutes: 3 });
      expect(sent, scenario).toEqual(first);
      sent = [];
    }
  });

  it('usual: all phones report all the time', async () => {
    await live('usual', { minutes: 25 });
    expect([phones(1, 2), phones(15, 16), phones(23, 24)]).toEqual([24, 24, 24]);
    expect(latestDelayMin()).toBeLessThan(0.2);
  });

  it('usual: no trip ends where it begins, not even if nearly all roads are destinations', async () => {
    await live('usual', { minutes: 10, town: gridRoads(3) });
    expect(lengthsM.length).toBeGreaterThan(100);
    expect(Math.min(...lengthsM)).toBeGreaterThan(5);
  });

  it('platoons: all trips begin at a multiple of five minutes', async () => {
    await live('platoons', { minutes: 21 });
    const driving = (minute: number): number => phones(minute, minute + 0.2);
    expect(driving(5.1)).toBe(24);
    expect(driving(9.7)).toBeLessThan(12);
    expect(driving(10.1)).toBe(24);
  });

  it('late-uploads: points arrive up to eight minutes late, and none is lost', async () => {
    await live('late-uploads', { minutes: 20 });
    const usual = sent.filter(({ loc }) => loc[2] < 10 * minuteMs).length;
    expect(latestDelayMin()).toBeGreaterThan(3);
    expect(latestDelayMin()).toBeLessThan(8.2);
    sent = [];
    await live('usual', { minutes: 20 });
    expect(usual).toBe(sent.filter(({ loc }) => loc[2] < 10 * minuteMs).length);
  });

  it('half-fleet: half of the phones fall silent within five minutes and report again', async () => {
    await live('half-fleet', { minutes: 48 });
    expect(phones(eventMin - 1, eventMin)).toBe(24);
    expect(phones(eventMin + 6, eventMin + 19)).toBe(12);
    expect(phones(eventMin + 26, eventMin + 27)).toBe(24);
  });

  it('end-of-shift: all drivers park, and set off after a quarter of an hour', async () => {
    await live('end-of-shift', { minutes: 38 });
    expect(phones(eventMin + 13, eventMin + 14)).toBe(0);
    expect(phones(eventMin + 15.1, eventMin + 16)).toBe(24);
  });

  it('small-fleet: one phone in eight reports', async () => {
    await live('small-fleet', { minutes: 5 });
    expect(phones(0, 5)).toBe(3);
  });

  it('silent-district: phones send what they saw there after they have left it', async () => {
    await live('silent-district', { minutes: 34 });
    const during = sent.filter(
      ({ atMs }) => atMs > (eventMin + 1) * minuteMs && atMs < (eventMin + 10) * minuteMs,
    );
    expect(new Set(during.map(({ driver }) => driver)).size).toBeGreaterThan(12);
    const late = sent.filter(({ loc, atMs }) => atMs - loc[2] > minuteMs);
    expect(late.length).toBeGreaterThan(100);
    // What a phone had not sent yet when the event began is from just before it.
    expect(late.every(({ loc }) => loc[2] > (eventMin - 0.2) * minuteMs)).toBe(true);
  });

  it('stadium: 500 phones report from one place at once, and from nowhere before', async () => {
    await live('stadium', { minutes: 21 });
    expect(phones(0, eventMin)).toBe(24);
    const visitors = sent.filter(({ driver }) => Number(driver.slice('driver-'.length)) > 24);
    const firsts = new Map(visitors.map(({ driver, loc }) => [driver, loc] as const).reverse());
    expect(firsts.size).toBeGreaterThan(450);
    const lats = [...firsts.values()].map(([lat]) => lat);
    expect(Math.max(...lats) - Math.min(...lats)).toBeLessThan(0.002);
  });

  it('jam: drivers on a busy road stand for four minutes', async () => {
    const standing = await live('jam', { minutes: 26, drivers: 60 });
    const slow = sent.filter(({ loc: [, , timeMs, , speed] }) => timeMs > eventMin * minuteMs && speed === 0);
    expect(slow.length).toBeGreaterThan(0);
    expect(standing.world.closures).toEqual([]);
    expect(slow.every(({ loc }) => loc[2] <= (eventMin + 4) * minuteMs)).toBe(true);
  });

  it('all-guided: every driver asks the platform for a route', async () => {
    await live('all-guided', { minutes: 2 });
    expect(new Set(trips).size).toBe(24);
  });

  it('false-reports: five drivers turn away from open roads', async () => {
    const { report } = await live('false-reports', { minutes: 60, drivers: 60 });
    expect(report.detours).toBeGreaterThan(5);
    const usual = await live('usual', { minutes: 60, drivers: 60 });
    expect(usual.report.detours).toBe(0);
  });
});
