import type { LatLng } from '#schemas/units.js';
import { medianPlace } from './median-place.js';
import type { Scenario, Stage } from './scenario.js';

const minuteMs = 60_000;
/** The event of a scenario happens this long after the start, and again in each period. */
const firstEventMs = 20 * minuteMs;
const eventEveryMs = 40 * minuteMs;
const outageMs = 10 * minuteMs;
const liars = 5;

/** What `--scenario` accepts. Each is a way in which an open road can look closed. */
export const scenarios = {
  usual: { shows: 'drivers at any time between sixteen places' },
  platoons: {
    shows: 'all drivers set off at the same instant, every five minutes',
    begin: ({ commuters }) => {
      const everyMs = 5 * minuteMs;
      return (nowMs) => {
        for (const commuter of commuters) commuter.nextTripMs = Math.ceil(nowMs / everyMs) * everyMs;
      };
    },
  },
  'late-uploads': {
    shows: 'half of the phones send their points up to eight minutes late',
    begin: ({ commuters, random }) => {
      for (const [i, commuter] of commuters.entries()) {
        if (i % 2 === 0) continue;
        const everyMs = (2 + 6 * random.next()) * minuteMs;
        const phaseMs = random.next() * everyMs;
        commuter.canSend = (_, nowMs) => (nowMs + phaseMs) % everyMs < minuteMs / 2;
      }
      return () => {};
    },
  },
  'half-fleet': {
    shows: 'half of the drivers disappear within five minutes and come back after twenty',
    begin: (stage) => {
      const leavers = stage.commuters.filter((_, i) => i % 2 === 1);
      const delays = leavers.map(() => stage.random.next() * 5 * minuteMs);
      return duringEvents(stage, 25 * minuteMs, (sinceMs) => {
        for (const [i, commuter] of leavers.entries())
          commuter.isOff =
            sinceMs !== undefined && sinceMs > delays[i]! && sinceMs < 20 * minuteMs + delays[i]!;
      });
    },
  },
  'end-of-shift': {
    shows: 'all drivers end their trip and park for a quarter of an hour',
    begin: (stage) =>
      duringEvents(stage, 15 * minuteMs, (sinceMs, nowMs) => {
        if (sinceMs === undefined) return;
        for (const commuter of stage.commuters) commuter.nextTripMs = nowMs - sinceMs + 15 * minuteMs;
      }),
  },
  'small-fleet': {
    shows: 'one driver in eight is on the road; start it on the data of the usual city',
    begin: ({ commuters }) => {
      for (const [i, commuter] of commuters.entries()) commuter.isOff = i % 8 !== 0;
      return () => {};
    },
  },
  'silent-district': {
    shows: 'phones in a quarter of the city cannot send for ten minutes',
    begin: (stage) => {
      const district = quarter(stage);
      let isSilent = false;
      for (const commuter of stage.commuters) commuter.canSend = (place) => !(isSilent && district(place));
      return duringEvents(stage, outageMs, (sinceMs) => {
        isSilent = sinceMs !== undefined;
      });
    },
  },
  stadium: {
    shows: '500 drivers set off from one place at the same instant',
    visitors: 500,
    begin: (stage) => {
      const { visitors, hotspots } = stage;
      for (const visitor of visitors) {
        visitor.park(Number.POSITIVE_INFINITY, hotspots[0]);
        visitor.nextTripMs = Number.POSITIVE_INFINITY;
      }
      const wait = atNextEvent(stage);
      return (nowMs) => {
        if (wait(nowMs)) for (const visitor of visitors) visitor.park(nowMs, hotspots[0]);
      };
    },
  },
  jam: {
    shows: 'a jam on a busy road lets nobody through for four minutes',
    begin: (stage) => {
      const wait = atNextEvent(stage, 10 * minuteMs);
      return (nowMs) => {
        if (!wait(nowMs)) return;
        stage.world.jam(stage.busyEdges(), nowMs + 4 * minuteMs);
      };
    },
  },
  'all-guided': { shows: 'the platform guides all drivers, and its reroutes move them all', guidedShare: 1 },
  'false-reports': {
    shows: 'five guided phones turn away from busy open roads again and again',
    begin: (stage) => {
      const wait = atNextEvent(stage, 10 * minuteMs);
      return (nowMs) => {
        if (!wait(nowMs)) return;
        const open = new Set(stage.busyEdges().filter((edge) => !stage.world.closed.has(edge)));
        for (const { driver } of stage.commuters.slice(0, liars)) driver.avoids = open;
      };
    },
  },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;

export const scenarioNames = Object.keys(scenarios) as ScenarioName[];

/** Calls with the time since an event began; undefined outside of the events. */
function duringEvents(
  { startMs }: Stage,
  lastsMs: number,
  act: (sinceMs: number | undefined, nowMs: number) => void,
): (nowMs: number) => void {
  return (nowMs) => {
    const sinceMs = (nowMs - startMs - firstEventMs) % eventEveryMs;
    act(sinceMs >= 0 && sinceMs < lastsMs ? sinceMs : undefined, nowMs);
  };
}

/** True at the first call after each event began. */
function atNextEvent({ startMs }: Stage, everyMs = eventEveryMs): (nowMs: number) => boolean {
  let nextMs = startMs + firstEventMs;
  return (nowMs) => {
    if (nowMs < nextMs) return false;
    nextMs += everyMs;
    return true;
  };
}

/** Whether a place is in the north-east of the middle place of all hotspots. */
function quarter({ hotspots, roads }: Stage): (place: LatLng) => boolean {
  const { lat, lng } = medianPlace(roads, hotspots);
  return (place) => place.lat > lat && place.lng > lng;
}
