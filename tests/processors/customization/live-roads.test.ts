import { describe, expect, it } from 'vitest';
import {
  applyIncident,
  applySpeeds,
  edgeChanges,
  expireIncidents,
  type LiveRoads,
} from '#processors/customization/live-roads.js';
import { type IncidentChanged, incidentKind, incidentSource, type SegmentSpeeds } from '#schemas/messages.js';
import { gridNetwork } from '../grid-network.js';

const grid = await gridNetwork(3, 3);
const { network } = grid;
const edge = grid.edge([0, 0], [1, 0]);
const id = network.edgeId(edge);
const now = 1_000_000;

const fresh = (): LiveRoads => ({ speeds: new Map(), incidents: new Map() });
const speeds = (speedKph: number, cleared = false, tilesetId = network.tilesetId): SegmentSpeeds => ({
  ...{ tilesetId, cell: 0, windowEndMs: now },
  segments: [{ edgeId: id, speedKph, probes: 5, confidence: 0.7, cleared }],
});
const incident = (incidentId: string, more: Partial<IncidentChanged> = {}): IncidentChanged => ({
  incidentId,
  kind: incidentKind.closed,
  source: incidentSource.operator,
  active: true,
  tilesetId: network.tilesetId,
  edgeIds: [id],
  speedKph: 0,
  startedMs: now,
  expiresMs: 0,
  evidence: 'Burst pipe',
  lastEvidenceMs: 0,
  ...more,
});
const now1 = (roads: LiveRoads) => edgeChanges(roads, network, [id]);

describe('what is true of a road', () => {
  it('is closed above slowed above live speed above free flow', () => {
    const roads = fresh();
    expect(now1(roads)).toEqual([{ edge, cleared: true }]);
    applySpeeds(roads, network, speeds(20));
    expect(now1(roads)).toEqual([{ edge, speedKph: 20 }]);
    const slow = incident('slow', { kind: incidentKind.slow, speedKph: 10 });
    applyIncident(roads, network, slow, now);
    expect(now1(roads)).toEqual([{ edge, speedKph: 10 }]);
    applySpeeds(roads, network, speeds(5));
    expect(now1(roads)).toEqual([{ edge, speedKph: 5 }]);
    applyIncident(roads, network, incident('shut'), now);
    expect(now1(roads)).toEqual([{ edge, closed: true }]);
    applyIncident(roads, network, incident('shut', { active: false }), now);
    applyIncident(roads, network, { ...slow, active: false }, now);
    applySpeeds(roads, network, speeds(0, true));
    expect(now1(roads)).toEqual([{ edge, cleared: true }]);
  });

  it('stays closed while one of two closures holds', () => {
    const roads = fresh();
    applyIncident(roads, network, incident('a'), now);
    applyIncident(roads, network, incident('b'), now);
    applyIncident(roads, network, incident('a', { active: false }), now);
    expect(now1(roads)).toEqual([{ edge, closed: true }]);
  });

  it('changes by the clock when an incident runs out, and names it', () => {
    const roads = fresh();
    applyIncident(roads, network, incident('a', { expiresMs: now + 1_000 }), now);
    expect(expireIncidents(roads, network, now + 999).edgeIds.size).toBe(0);
    const news = expireIncidents(roads, network, now + 1_000);
    expect([...news.edgeIds]).toEqual([id]);
    expect(news.reasons).toEqual(['Row 0 open again']);
    expect(now1(roads)).toEqual([{ edge, cleared: true }]);
    // A record that is read again after that does not bring it back.
    applyIncident(roads, network, incident('a', { expiresMs: now + 1_000 }), now + 2_000);
    expect(roads.incidents.size).toBe(0);
  });

  it('opens the edges that an incident no longer names', () => {
    const roads = fresh();
    const other = network.edgeId(grid.edge([1, 0], [2, 0]));
    applyIncident(roads, network, incident('a', { edgeIds: [id, other] }), now);
    const news = applyIncident(roads, network, incident('a', { edgeIds: [other] }), now);
    expect(news.edgeIds).toEqual(new Set([id, other]));
    expect(now1(roads)).toEqual([{ edge, cleared: true }]);
  });

  it('is not moved by another tileset or an unknown edge', () => {
    const roads = fresh();
    expect(applySpeeds(roads, network, speeds(20, false, 'old')).edgeIds.size).toBe(0);
    expect(applyIncident(roads, network, incident('a', { tilesetId: 'old' }), now).edgeIds.size).toBe(0);
    expect(edgeChanges(roads, network, ['1:2-3+', 'nonsense'])).toEqual([]);
    expect(roads).toEqual(fresh());
  });

  it('comes with a reason that begins with the name of the road', () => {
    const news = applyIncident(fresh(), network, incident('a'), now);
    expect(news.reasons).toEqual(['Row 0 closed: Burst pipe']);
    expect(applySpeeds(fresh(), network, speeds(20)).reasons).toEqual(['Row 0 at 20 km/h (5 drivers)']);
  });
});
