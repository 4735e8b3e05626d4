import { describe, expect, it } from 'vitest';
import type { Incident } from '#schemas/http/incidents.js';
import type { HiddenClosure, SimulationTruth } from '#schemas/http/simulation.js';
import { ClosureScorer } from '#simulated-city/closure-score.js';

const minuteMs = 60_000;
const rules = { warmUpMs: 60 * minuteMs, busyPerMinute: 4, foundWithinMs: 5 * minuteMs };
/** Degrees of latitude in a metre. */
const metre = 1 / 111_195;

function hidden(edge: string, fromMin: number, perMinute = 6, turnedBack = 20): HiddenClosure {
  const line = [
    [57.7, 11.97],
    [57.7 + 100 * metre, 11.97],
  ];
  return {
    ...{ edges: [edge, `${edge}-back`], lines: [line, line.toReversed()] },
    ...{ from_ms: fromMin * minuteMs, until_ms: (fromMin + 6) * minuteMs, passages_per_minute: perMinute },
    turned_back: turnedBack,
  };
}

/** A detected closure of an edge that ends `beforeM` metres before the hidden one starts. */
function listed(edge: string, beforeM = 0, lengthM = 10): Incident {
  const end = 57.7 - beforeM * metre;
  return {
    ...{ incident_id: `of-${edge}`, kind: 'closed', source: 'detected', active: true, road: 'Storgatan' },
    ...{ edge_ids: [edge], started_at: '', expires_at: null, evidence: 'nobody passed' },
    geometry: {
      type: 'MultiLineString',
      coordinates: [
        [
          [11.97, end - lengthM * metre],
          [11.97, end],
        ],
      ],
    },
  };
}

const truth = (atMin: number, ...closures: HiddenClosure[]): SimulationTruth => ({
  ...{
    now_ms: atMin * minuteMs,
    seed: 1,
    drivers: 300,
    scenario: 'usual',
    closures,
    speeds: [],
    trips: [],
    barriers: [],
    reroutes: [],
  },
});

function scored(...looks: readonly (readonly [readonly Incident[], SimulationTruth])[]) {
  const scorer = new ClosureScorer(rules);
  for (const look of looks) scorer.look(...look);
  return scorer.result;
}

describe('the score of a city', () => {
  it('counts a listed road that is closed in either direction as true, with its delay', () => {
    const closure = hidden('e1', 61);
    const score = scored([[], truth(0)], [[listed('e1-back')], truth(63, closure)], [[], truth(70, closure)]);
    expect(score).toMatchObject({ listed: 1, true: 1, false: [], hidden: 1, hiddenListed: 1 });
    expect(score.busy).toEqual({ closures: 1, inTime: 1, medianDelayS: 120, late: [] });
  });

  it('counts an open road as false, even during a closure elsewhere or at another time', () => {
    const closure = hidden('e1', 10);
    const score = scored(
      [[], truth(9)],
      [[listed('far', 400)], truth(11, closure)],
      [[listed('far', 400), listed('e1')], truth(17.5, closure)],
    );
    expect(score.false.map(({ edge }) => edge)).toEqual(['far', 'e1']);
    expect(score).toMatchObject({ listed: 2, true: 0, hiddenListed: 0 });
  });

  it('tolerates 25 m plus the length of the listed edge, and a minute', () => {
    const closure = hidden('e1', 10);
    const once = (incident: Incident, atMin: number) =>
      scored([[], truth(9)], [[incident], truth(atMin, closure)]);
    expect(once(listed('near', 10), 11)).toMatchObject({ beside: 1, false: [] });
    expect(once(listed('near', 10, 20), 11)).toMatchObject({ beside: 0 });
    expect(once(listed('e1'), 16.9)).toMatchObject({ true: 1, false: [] });
  });

  it('requires only busy closures after the warm-up that lasted at least five minutes', () => {
    const closures = [
      hidden('early', 59),
      hidden('quiet', 61, 3.9),
      hidden('late', 66),
      hidden('missed', 62),
    ];
    const { busy } = scored([[], truth(0)], [[], truth(70, ...closures)]);
    expect(busy.closures).toBe(1);
    expect(busy.inTime).toBe(0);
    expect(busy.late).toMatchObject([{ edge: 'missed', passagesPerMinute: 6, delayS: undefined }]);
  });

  it('requires only those that drivers come to, until they are found or five minutes have passed', () => {
    const reached = hidden('reached', 61, 6, 10);
    const cutOff = hidden('cut-off', 61, 6, 9);
    const found = hidden('found', 61, 6, 4);
    const { busy } = scored(
      [[], truth(0)],
      [[], truth(61, reached, cutOff, found)],
      [[listed('found')], truth(63, reached, cutOff, found)],
      [[], truth(66.5, { ...reached, turned_back: 12 }, { ...cutOff, turned_back: 30 }, found)],
    );
    expect(busy).toMatchObject({ closures: 2, inTime: 1, late: [{ edge: 'reached', turnedBack: 10 }] });
  });

  it('shows a closure that is found after more than five minutes as late', () => {
    const closure = { ...hidden('e1', 61), until_ms: 80 * minuteMs };
    const { busy } = scored([[], truth(0)], [[listed('e1')], truth(67, closure)]);
    expect(busy).toMatchObject({ closures: 1, inTime: 0, late: [{ delayS: 360 }] });
  });

  it('ignores closures by operators and other incidents', () => {
    const others: Incident[] = [
      { ...listed('a'), source: 'operator' },
      { ...listed('b'), kind: 'slow' },
      { ...listed('c'), active: false },
    ];
    expect(scored([[], truth(0)], [others, truth(1)])).toMatchObject({ listed: 0, false: [] });
  });

  it('ignores incidents that were listed at its start: an earlier run may have found them', () => {
    const old = [listed('old', 400)];
    expect(scored([old, truth(0)], [old, truth(1)])).toMatchObject({ before: 1, listed: 0, false: [] });
  });
});
