import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edgeRules, type TrafficSettings, trafficDefaults } from '#processors/traffic/settings.js';
import { trafficStateDefinition } from '#processors/traffic/traffic-state.js';
import {
  detectedIncidentId,
  type TrafficOutput,
  type TrafficState,
  TrafficStep,
} from '#processors/traffic/traffic-step.js';
import { type EdgeObservation, observationKind } from '#schemas/messages.js';
import { proves } from '#tools/acceptance/proves.js';

const t0 = 1_795_000_000_000;
const lengthM = 500;
const settings: TrafficSettings = {
  ...trafficDefaults,
  window: { ...trafficDefaults.window, driversMin: 2 },
};
const outcomes: Record<string, number> = {};

function newStep(use: Partial<TrafficSettings> = {}): TrafficStep {
  const effective = { ...settings, ...use };
  return new TrafficStep({
    tilesetId: 'grid',
    facts: (edgeId) => (edgeId.startsWith('e') ? { lengthM, freeFlowKph: 50, others: [] } : undefined),
    rules: edgeRules(effective),
    sweepMs: effective.sweepMs,
    sweepSpeedMs: effective.sweepSpeedMs,
    edgesMax: 100,
    onOutcome: (outcome, count) => {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
    },
  });
}
const fresh = (): TrafficState => ({ edges: new Map(), streamMs: 0, heardMs: 0 });

const drive = (edgeId: string, driver: number, leftS: number, kph: number): EdgeObservation => ({
  edgeId,
  kind: observationKind.passed,
  enteredMs: t0 + leftS * 1_000 - Math.round((lengthM * 3_600) / kph),
  leftMs: t0 + leftS * 1_000,
  driver,
  receivedMs: t0 + leftS * 1_000 + 500,
});
const turn = (edgeId: string, driver: number, atS: number): EdgeObservation => ({
  ...drive(edgeId, driver, atS, 50),
  kind: observationKind.turnedAway,
});

function run(observations: readonly EdgeObservation[], step = newStep(), state = fresh()): TrafficOutput {
  const speeds: TrafficOutput['speeds'][number][] = [];
  const incidents: TrafficOutput['incidents'][number][] = [];
  for (const observation of observations) {
    const output = step.apply(state, { tilesetId: 'grid', cell: 3, observations: [observation] });
    speeds.push(...output.speeds);
    incidents.push(...output.incidents);
  }
  return { speeds, incidents };
}

describe('speeds', () => {
  proves('M-064', {
    asked: 'the traffic service derives speeds from the stream',
    shown: 'observations of two drivers at 20 km/h where 50 are usual give 20 km/h',
    settings: ['two drivers behind a speed instead of five'],
    control: {
      in: 'processors/traffic/speed-window.ts',
      change: 'return { kph: 3_600 / pace,',
      to: 'return { kph: 1_800 / pace,',
    },
  });
  it('M-064: publishes a speed when enough drivers were slow, with probes and time of acceptance', () => {
    const { speeds } = run([drive('e1', 1, 0, 20), drive('e1', 2, 5, 20)]);
    expect(speeds).toHaveLength(1);
    expect(speeds[0]).toMatchObject({ tilesetId: 'grid', cell: 3, windowEndMs: t0 + 5_500 });
    const [segment] = speeds[0]!.segments;
    expect(segment).toMatchObject({ edgeId: 'e1', probes: 2, cleared: false });
    expect(segment!.speedKph).toBeCloseTo(20, 6);
    expect(segment!.confidence).toBeCloseTo(0.5, 1);
  });

  it('publishes no speed below k drivers, near free flow, or after small changes', () => {
    expect(run([drive('e1', 1, 0, 20), drive('e1', 1, 60, 20)]).speeds).toEqual([]);
    expect(run([drive('e1', 1, 0, 48), drive('e1', 2, 1, 47)]).speeds).toEqual([]);
    const little = [
      drive('e1', 1, 0, 20),
      drive('e1', 2, 1, 20),
      drive('e1', 3, 2, 21),
      drive('e1', 4, 3, 21),
    ];
    expect(run(little).speeds).toHaveLength(1);
  });

  it('withdraws a speed when traffic flows again, and when evidence fades', () => {
    const slow = [drive('e1', 1, 0, 20), drive('e1', 2, 1, 20)];
    const flows = Array.from({ length: 30 }, (_, i) => i + 3).map((driver) =>
      drive('e1', driver, 100 + driver, 50),
    );
    expect(run([...slow, ...flows]).speeds.at(-1)!.segments[0]).toMatchObject({ cleared: true, speedKph: 0 });

    const step = newStep();
    const state = fresh();
    run(slow, step, state);
    const fadesMs = t0 + 1_000 + settings.hysteresis.ttlMs;
    expect(step.advance(state, fadesMs - settings.sweepMs).speeds).toEqual([]);
    expect(step.advance(state, fadesMs + settings.sweepSpeedMs).speeds[0]!.segments[0]).toMatchObject({
      edgeId: 'e1',
      cleared: true,
    });
    expect(state.edges.get('e1')?.published).toBeUndefined();
  });

  it('F11: ignores observations that are redelivered, late, or faster than any car', () => {
    const slow = [drive('e1', 1, 0, 20), drive('e1', 2, 1, 20)];
    const [once, twice] = [fresh(), fresh()];
    const output = run(slow, newStep(), once);
    expect(run([...slow, ...slow, ...slow], newStep(), twice)).toEqual(output);
    expect(twice.edges).toEqual(once.edges);

    const before = { ...outcomes };
    run([drive('e1', 3, 0, 600), drive('e1', 4, -3_600, 20)], newStep(), once);
    expect(outcomes['implausible']).toBe((before['implausible'] ?? 0) + 1);
    expect(outcomes['late']).toBe((before['late'] ?? 0) + 1);
    expect(once.edges).toEqual(twice.edges);
  });

  it('ignores another tileset and edges that this one does not have', () => {
    const state = fresh();
    const step = newStep();
    step.apply(state, { tilesetId: 'old', cell: 3, observations: [drive('e1', 1, 0, 20)] });
    run([drive('x1', 1, 0, 20)], step, state);
    expect(state.edges.size).toBe(0);
  });

  it('the speed of a short edge must differ by more, because its length is less exact', () => {
    const rules = edgeRules(settings);
    const step = new TrafficStep({
      ...{
        tilesetId: 'grid',
        rules,
        sweepMs: 10_000,
        sweepSpeedMs: 60_000,
        edgesMax: 10,
        onOutcome: () => undefined,
      },
      facts: () => ({ lengthM: 20, freeFlowKph: 50, others: [] }),
    });
    const short = (driver: number): EdgeObservation => ({
      ...drive('e1', driver, driver, 50),
      enteredMs: t0 + driver * 1_000 - Math.round((20 * 3_600) / 30),
    });
    expect(run([short(1), short(2)], step).speeds).toEqual([]);
    expect(
      run(
        Array.from({ length: 30 }, (_, i) => short(i)),
        step,
      ).speeds,
    ).toHaveLength(1);
  });
});

describe('closures', () => {
  const four = [turn('e1', 1, 0), turn('e1', 2, 10), turn('e1', 3, 20), turn('e1', 4, 38)];

  proves('M-064', {
    asked: 'and reopens',
    shown: 'closed by four drivers, opened by two passages, under one id',
    control: {
      in: 'processors/traffic/closure-evidence.ts',
      change: "if (outcome === 'h1') {",
      to: "if (outcome === 'h1' && passed > 2) {",
    },
  });
  it('M-064: closures open and close by drivers alone, with an id that a replay reproduces', () => {
    const all = [...four, drive('e1', 10, 100, 40), drive('e1', 11, 110, 40)];
    const { incidents } = run(all);
    expect(incidents.map(({ active }) => active)).toEqual([true, false]);
    expect(incidents[0]).toMatchObject({
      incidentId: detectedIncidentId('grid', 'e1', t0),
      edgeIds: ['e1'],
      startedMs: t0,
      lastEvidenceMs: t0 + 38_500,
      expiresMs: t0 + 38_000 + settings.closure.holdMinMs,
      evidence: '4 of 4 guided drivers turned away in 38 s',
    });
    expect(incidents[1]!.incidentId).toBe(incidents[0]!.incidentId);
    expect(run(all).incidents).toEqual(incidents);
  });

  it('M-064: a closure of a piece of a crossing needs passages in three slots, guided or not', () => {
    const pieceStep = newStep({ closure: { ...settings.closure, pieceM: lengthM } });
    const found = (...passedS: number[]) => {
      const passages = passedS.map((atS, i) => ({ ...drive('e1', 50 + i, atS, 50), guided: true }));
      const turns = [1, 2, 3, 4, 5, 6, 7].map((driver) => turn('e1', driver, 120 + driver));
      return run([...passages, ...turns], pieceStep).incidents.length > 0;
    };
    expect(found()).toBe(false);
    expect(found(60, 61, 62, 63)).toBe(false);
    expect(found(30, 60)).toBe(false);
    expect(found(30, 60, 90)).toBe(true);
  });

  it('a closure ends by time if no driver passes any more', () => {
    const step = newStep();
    const state = fresh();
    run(four, step, state);
    const expiresMs = t0 + 38_000 + settings.closure.holdMinMs;
    const output = step.advance(state, expiresMs + settings.sweepMs);
    expect(output.incidents).toEqual([expect.objectContaining({ active: false })]);
    // One day later it uses no memory.
    step.advance(state, expiresMs + 86_400_000);
    expect(state.edges.size).toBe(0);
  });

  it('F10: a stored state continues with the same result after it is read back', () => {
    const visit = fc.record({
      edge: fc.constantFrom('e1', 'e2'),
      driver: fc.integer({ min: 1, max: 9 }),
      turned: fc.constantFrom(undefined, {}, { keptPrevious: true }),
      afterS: fc.integer({ min: 0, max: 60 }),
      kph: fc.integer({ min: 5, max: 60 }),
    });
    fc.assert(
      fc.property(fc.array(visit, { maxLength: 60 }), fc.nat(59), (visits, cutAt) => {
        let atS = 0;
        const all = visits.map(({ edge, driver, turned, afterS, kph }) => {
          atS += afterS;
          return turned === undefined
            ? drive(edge, driver, atS, kph)
            : { ...turn(edge, driver, atS), ...turned };
        });
        const whole = run(all);
        const state = fresh();
        const first = run(all.slice(0, cutAt), newStep(), state);
        const stored = trafficStateDefinition('grid');
        const restored = stored.decode(stored.encode(state), 0);
        expect(restored).toEqual(state);
        const second = run(all.slice(cutAt), newStep(), restored);
        expect([...first.speeds, ...second.speeds]).toEqual(whole.speeds);
        expect([...first.incidents, ...second.incidents]).toEqual(whole.incidents);
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  it("F10: uses only the clock of another tileset's state, and rejects another layout", () => {
    const state = fresh();
    run([drive('e1', 1, 0, 20)], newStep(), state);
    const bytes = trafficStateDefinition('old').encode(state);
    expect(trafficStateDefinition('grid').decode(bytes, 0)).toEqual({ ...state, edges: new Map() });
    const text = Buffer.from(bytes).toString('latin1').replace('"layout":5', '"layout":3');
    expect(() => trafficStateDefinition('old').decode(Buffer.from(text, 'latin1'), 0)).toThrow(/layout 3/);
  });

  it('M-064: needs fewer drivers if both directions are avoided, and closes none if one flows', () => {
    const both = new TrafficStep({
      tilesetId: 'grid',
      facts: (edgeId) => ({
        ...{ lengthM, freeFlowKph: 50, others: [] },
        reverse: edgeId === 'e1' ? 'e2' : 'e1',
      }),
      rules: edgeRules(settings),
      sweepMs: settings.sweepMs,
      sweepSpeedMs: settings.sweepSpeedMs,
      edgesMax: 100,
      onOutcome: () => undefined,
    });
    const closed = (observations: readonly EdgeObservation[]): string[] => {
      const active = run(observations, both).incidents.filter((each) => each.active);
      return [...new Set(active.map(({ edgeIds }) => edgeIds[0]!))];
    };
    const there = [1, 2].map((driver) => turn('e1', driver, driver));
    const back = [3, 4].map((driver) => turn('e2', driver, driver));
    expect(closed(there)).toEqual([]);
    expect(closed([...there, ...back, turn('e1', 5, 20)])).toEqual(['e2', 'e1']);
    const flows = [3, 4].map((driver) => drive('e2', driver, driver + 40, 50));
    expect(closed([...there, ...flows, turn('e1', 5, 60)])).toEqual([]);
  });

  describe('by silence', () => {
    const exits = ['east', 'south', 'north'] as const;
    const crossings = Array.from({ length: 8 }, (_, i) => i);
    const at = (crossing: number, exit: string): string => `e${crossing}${exit}`;
    const crossing = (): TrafficStep =>
      new TrafficStep({
        tilesetId: 'grid',
        facts: (edgeId) => ({
          ...{ lengthM: 100, freeFlowKph: 50 },
          others: exits.map((exit) => edgeId.slice(0, 2) + exit).filter((other) => other !== edgeId),
        }),
        rules: edgeRules(settings),
        sweepMs: settings.sweepMs,
        sweepSpeedMs: settings.sweepSpeedMs,
        edgesMax: 100,
        onOutcome: () => undefined,
      });
    const passing = (edgeId: string, driver: number, atS: number, guided = false): EdgeObservation => ({
      ...drive(edgeId, driver, atS, 50),
      ...{ enteredMs: t0 + atS * 1_000 - 8_000, cameFrom: 'west', guided },
    });
    /**
     * Every 15 seconds one driver reaches each crossing. All but one in forty go east, unless the road is
     * closed.
     */
    const traffic = (
      fromS: number,
      toS: number,
      { closed = [] as readonly string[], guided = false } = {},
    ): EdgeObservation[] => {
      const seen: EdgeObservation[] = [];
      for (let atS = fromS; atS < toS; atS += 16)
        for (const one of crossings) {
          const turn = (atS / 16 + one) % 40 === 0 ? exits[1 + (one % 2)]! : exits[0];
          const exit = closed.includes(at(one, turn)) ? 'south' : turn;
          seen.push(passing(at(one, exit), 1_000 * one + ((atS / 16) % 40), atS, guided));
        }
      return seen;
    };
    const closures = (...parts: readonly (readonly EdgeObservation[])[]): string[] => {
      const { incidents } = run(parts.flat(), crossing());
      // One that expired and was found again is one.
      return [...new Set(incidents.filter(({ active }) => active).map(({ edgeIds }) => edgeIds[0]!))];
    };
    const hour = 3_600;

    it('M-064: closes the road that drivers avoid who choose their route themselves', () => {
      const closed = [at(3, 'east')];
      expect(closures(traffic(0, hour), traffic(hour, 2 * hour, { closed }))).toEqual(closed);
    });

    /** Drivers who meet the barrier turn round and go back to where they came from. */
    const turningRound = (seen: readonly EdgeObservation[], change: Partial<EdgeObservation> = {}) =>
      seen.map((each) =>
        each.edgeId === at(3, 'south')
          ? { ...each, edgeId: at(3, 'west'), kind: observationKind.turnedRound, ...change }
          : each,
      );

    it('closes the road before which drivers turn round, unless they are guided or long gone', () => {
      const closed = [at(3, 'east')];
      const before = traffic(0, hour);
      const turns = traffic(hour, 2 * hour, { closed });
      expect(closures(before, turningRound(turns))).toEqual(closed);
      expect(closures(before, turningRound(turns, { guided: true }))).toEqual([]);
      expect(closures(before, turningRound(turns, { leftMs: t0 }))).toEqual([]);
    });

    it('a turn is no passage: it has no speed, and shows no road to be open', () => {
      const state = fresh();
      const turns = turningRound(traffic(0, hour / 4, { closed: [at(3, 'east')] }));
      run(turns, crossing(), state);
      expect(state.edges.has(at(3, 'west'))).toBe(false);
      expect(state.edges.has(at(2, 'east'))).toBe(true);
    });

    it('closes no road if the platform leads the drivers elsewhere', () => {
      const closed = [at(3, 'east')];
      expect(closures(traffic(0, hour), traffic(hour, 2 * hour, { closed, guided: true }))).toEqual([]);
    });

    it('closes no road if many are silent at once: then the drivers changed, not the roads', () => {
      const closed = crossings.map((one) => at(one, 'east'));
      expect(closures(traffic(0, hour), traffic(hour, 2 * hour, { closed }))).toEqual([]);
    });

    it('closes no road after an outage of all phones: what is usual must be learned again', () => {
      const closed = [at(3, 'east')];
      const awayS = settings.absentMs / 1_000;
      const back = hour + awayS + 40;
      expect(closures(traffic(0, hour), traffic(back, back + hour, { closed }))).toEqual([]);
      const soon = hour + awayS - 56;
      expect(closures(traffic(0, hour), traffic(soon, soon + hour, { closed }))).toEqual(closed);
    });
  });

  it('stores no more edges than its bound', () => {
    const state = fresh();
    run(
      Array.from({ length: 150 }, (_, i) => drive(`e${i}`, 1, 0, 20)),
      newStep(),
      state,
    );
    expect(state.edges.size).toBe(100);
  });
});
