import { describe, expect, it } from 'vitest';
import { edgeRules, trafficDefaults } from '#processors/traffic/settings.js';
import { trafficStateDefinition } from '#processors/traffic/traffic-state.js';
import { type TrafficState, TrafficStep } from '#processors/traffic/traffic-step.js';
import { type IncidentChanged, observationKind } from '#schemas/messages.js';

const t0 = 1_795_000_000_000;
/** Two exits of one crossing. */
const facts = (edgeId: string) => ({
  ...{ lengthM: 100, freeFlowKph: 50 },
  others: edgeId === 'e1' ? ['e2'] : edgeId === 'e2' ? ['e1'] : [],
});
const step = new TrafficStep({
  tilesetId: 'grid',
  facts: (edgeId) => (edgeId.startsWith('e') ? facts(edgeId) : undefined),
  rules: edgeRules(trafficDefaults),
  sweepMs: trafficDefaults.sweepMs,
  sweepSpeedMs: trafficDefaults.sweepSpeedMs,
  edgesMax: 100,
  onOutcome: () => undefined,
});

/** Events on one edge, at the given seconds. */
class Edge {
  state: TrafficState = { edges: new Map(), streamMs: 0, heardMs: 0 };
  readonly closures: { readonly atS: number; readonly incident: IncidentChanged }[] = [];

  report(reporter: number, atS: number, { closed = true, lastsS = 1_800 } = {}): this {
    const reportedMs = t0 + atS * 1_000;
    const message = { tilesetId: 'grid', cell: 3, edgeId: 'e1', reporter, closed, reportedMs };
    return this.#take(atS, step.report(this.state, { ...message, expiresMs: reportedMs + lastsS * 1_000 }));
  }

  come(kind: 'passed' | 'turnedAway', driver: number, atS: number, edgeId = 'e1'): this {
    const leftMs = t0 + atS * 1_000;
    const seen = { edgeId, kind: observationKind[kind], driver, leftMs, receivedMs: leftMs };
    const observations = [{ ...seen, enteredMs: leftMs - 8_000 }];
    return this.#take(atS, step.apply(this.state, { tilesetId: 'grid', cell: 3, observations }));
  }

  /** One driver every 20 s for an hour, and one who takes the other exit. */
  usual(): this {
    for (let i = 0; i < 180; i++) {
      this.come('passed', 100 + (i % 30), -3_600 + 20 * i);
      if (i % 40 === 0) this.come('passed', 200 + (i % 30), -3_585 + 20 * i, 'e2');
    }
    return this;
  }

  /** Time passes in which drivers take the other exit, every 20 s. */
  silent(fromS: number, toS: number, othersCome = true): this {
    for (let atS = fromS; atS <= toS; atS += 10) {
      if (othersCome && atS % 20 === 0) this.come('passed', 10_000 + atS, atS, 'e2');
      this.state.heardMs = t0 + atS * 1_000;
      this.#take(atS, step.advance(this.state, t0 + atS * 1_000));
    }
    return this;
  }

  #take(atS: number, { incidents }: { readonly incidents: readonly IncidentChanged[] }): this {
    for (const incident of incidents) this.closures.push({ atS, incident });
    return this;
  }

  get closedAtS(): number | undefined {
    return this.closures.find(({ incident }) => incident.active)?.atS;
  }
}

describe('reports of users', () => {
  it('M-064: with reports three guided drivers close a road, not four, and the evidence names both', () => {
    const edge = new Edge();
    for (const user of [1, 2, 3, 4]) edge.report(user, user);
    edge.come('turnedAway', 11, 20).come('turnedAway', 12, 25);
    expect(edge.closedAtS).toBeUndefined();
    edge.come('turnedAway', 13, 30);
    expect(edge.closedAtS).toBe(30);
    expect(edge.closures[0]!.incident.evidence).toBe(
      '3 of 3 guided drivers turned away in 10 s, and 4 users reported it closed',
    );
    // They are used up: after the closure has expired, others must find it again.
    expect(edge.state.edges.get('e1')!.evidence.reports).toBeUndefined();
  });

  it('reports shorten the silence that closes a road', () => {
    const unreported = new Edge().usual().silent(0, 1_200);
    const told = new Edge().usual();
    for (const user of [1, 2, 3, 4]) told.report(user, user);
    told.silent(10, 1_200);
    expect(told.closedAtS).toBeLessThan(0.8 * unreported.closedAtS!);
  });

  it('F12: reports alone close nothing, however many users or phones report', () => {
    const idle = new Edge();
    for (let user = 1; user <= 500; user++) idle.report(user, user);
    idle.silent(510, 1_800);
    expect(idle.closures).toEqual([]);
    expect(idle.state.edges.get('e1')!.evidence.reports!.length).toBeLessThanOrEqual(16);
    const driven = new Edge().usual();
    for (let user = 1; user <= 100; user++) {
      driven.report(user, 20 * user);
      driven.come('passed', 200 + user, 20 * user + 10);
      driven.come('passed', 400 + user, 20 * user + 15, 'e2');
    }
    expect(driven.closures).toEqual([]);
  });

  it('F12: counts a user once, who does not count again as a driver', () => {
    const loud = new Edge();
    for (let i = 0; i < 50; i++) loud.report(7, i);
    loud.come('turnedAway', 11, 60).come('turnedAway', 12, 61).come('turnedAway', 13, 62);
    expect(loud.closures).toEqual([]);
    const both = new Edge();
    for (const user of [11, 12, 13]) both.report(user, user);
    both.come('turnedAway', 11, 60).come('turnedAway', 12, 61).come('turnedAway', 13, 62);
    expect(both.closures).toEqual([]);
    expect(both.come('turnedAway', 14, 63).closedAtS).toBe(63);
  });

  it('reports end by expiry, by later passages, and by reports that the road is open', () => {
    const three = (edge: Edge, atS: number): Edge =>
      edge
        .come('turnedAway', 20, atS)
        .come('turnedAway', 21, atS)
        .come('turnedAway', 22, atS + 1);
    const told = (lastsS?: number): Edge => {
      const edge = new Edge();
      for (const user of [1, 2, 3, 4]) edge.report(user, user, lastsS === undefined ? {} : { lastsS });
      return edge;
    };
    expect(three(told(), 10).closedAtS).toBe(11);
    expect(three(told(60), 100).closures).toEqual([]);
    expect(three(told().come('passed', 9, 8), 10).closures).toEqual([]);
    const contradicted = told();
    for (const user of [5, 6, 7]) contradicted.report(user, user, { closed: false });
    expect(three(contradicted, 10).closures).toEqual([]);
    const takenBack = told();
    for (const user of [1, 2, 3, 4]) takenBack.report(user, 5, { closed: false });
    expect(three(takenBack, 10).closures).toEqual([]);
    // Two hours, however long a user requests.
    const forever = told(10 ** 9);
    expect(forever.state.edges.get('e1')!.evidence.reports![0]!.expiresMs).toBe(t0 + 1_000 + 7_200_000);
    forever.silent(7_000, 7_300, false);
    expect(forever.state.edges.size).toBe(0);
  });

  it('reports survive a snapshot', () => {
    const edge = new Edge();
    for (const user of [1, 2, 3, 4]) edge.report(user, user);
    const definition = trafficStateDefinition('grid');
    edge.state = definition.decode(definition.encode(edge.state), 0);
    edge.come('turnedAway', 11, 20).come('turnedAway', 12, 25);
    expect(edge.come('turnedAway', 13, 30).closedAtS).toBe(30);
  });
});
