import { describe, expect, it } from 'vitest';
import { openTileset } from '#map-data/open-tileset.js';
import {
  applyIncident,
  applySpeeds,
  carryOver,
  edgeChanges,
  expireCarried,
  expireIncidents,
  noRoads as fresh,
  type LiveRoads,
} from '#processors/customization/live-roads.js';
import { type IncidentChanged, incidentKind, type SegmentSpeeds } from '#schemas/messages.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { MemoryObjectStore } from '../../tile-builder/memory-object-store.js';
import { playFixture } from '../../tile-builder/osm-fixture.js';
import { gridNetwork } from '../grid-network.js';
import { operatorClosure } from '../operator-closure.js';

const grid = await gridNetwork(3, 3);
const { network } = grid;
const edge = grid.edge([0, 0], [1, 0]);
const id = network.edgeId(edge);
const now = 1_000_000;

const speeds = (speedKph: number, cleared = false, tilesetId = network.tilesetId): SegmentSpeeds => ({
  ...{ tilesetId, cell: 0, windowEndMs: now },
  segments: [{ edgeId: id, speedKph, probes: 5, confidence: 0.7, cleared }],
});
const incident = (incidentId: string, more: Partial<IncidentChanged> = {}): IncidentChanged =>
  operatorClosure(network, incidentId, edge, { startedMs: now, evidence: 'Burst pipe', ...more });
const now1 = (roads: LiveRoads) => edgeChanges(roads, network, [id]);

describe('the state of a road', () => {
  it('is closed before slowed, slowed before live speed, live speed before free flow', () => {
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

  it('is closed for driving when it is blocked for every mode', () => {
    const roads = fresh();
    const { reasons } = applyIncident(roads, network, incident('b', { kind: incidentKind.blocked }), now);
    expect(now1(roads)).toEqual([{ edge, closed: true }]);
    expect(reasons).toEqual(['Row 0 closed: Burst pipe']);
  });

  it('stays closed while one of two closures is valid', () => {
    const roads = fresh();
    applyIncident(roads, network, incident('a'), now);
    applyIncident(roads, network, incident('b'), now);
    applyIncident(roads, network, incident('a', { active: false }), now);
    expect(now1(roads)).toEqual([{ edge, closed: true }]);
  });

  it('changes by the clock when an incident expires, and names it', () => {
    const roads = fresh();
    applyIncident(roads, network, incident('a', { expiresMs: now + 1_000 }), now);
    expect(expireIncidents(roads, network, now + 999).edgeIds.size).toBe(0);
    const change = expireIncidents(roads, network, now + 1_000);
    expect([...change.edgeIds]).toEqual([id]);
    expect(change.reasons).toEqual(['Row 0 open again']);
    expect(now1(roads)).toEqual([{ edge, cleared: true }]);
    // Reading a record again after that does not restore it.
    applyIncident(roads, network, incident('a', { expiresMs: now + 1_000 }), now + 2_000);
    expect(roads.incidents.size).toBe(0);
  });

  it('opens the edges that an incident no longer lists', () => {
    const roads = fresh();
    const other = network.edgeId(grid.edge([1, 0], [2, 0]));
    applyIncident(roads, network, incident('a', { edgeIds: [id, other] }), now);
    const change = applyIncident(roads, network, incident('a', { edgeIds: [other] }), now);
    expect(change.edgeIds).toEqual(new Set([id, other]));
    expect(now1(roads)).toEqual([{ edge, cleared: true }]);
  });

  it('ignores speeds of another tileset or an unknown edge', () => {
    const roads = fresh();
    expect(applySpeeds(roads, network, speeds(20, false, 'old')).edgeIds.size).toBe(0);
    const unknown = { tilesetId: 'old', edgeIds: ['1:2-3+', 'nonsense'] };
    expect(applyIncident(roads, network, incident('a', unknown), now).edgeIds.size).toBe(0);
    expect(edgeChanges(roads, network, ['1:2-3+', 'nonsense'])).toEqual([]);
    expect({ ...roads, incidents: new Map() }).toEqual(fresh());
    expect([...roads.incidents.values()].map(({ edgeIds }) => edgeIds)).toEqual([[]]);
  });

  it('includes a reason that starts with the name of the road', () => {
    const change = applyIncident(fresh(), network, incident('a'), now);
    expect(change.reasons).toEqual(['Row 0 closed: Burst pipe']);
    expect(applySpeeds(fresh(), network, speeds(20)).reasons).toEqual(['Row 0 at 20 km/h (5 drivers)']);
  });
});

/**
 * Way 7 leads from 1 over 2 to 3; way 8 starts at 3. With the side road way 7 has a crossing at 2; without
 * the tail way 8 is removed.
 */
async function road(options: { readonly side: boolean; readonly tail: boolean }) {
  const objects = new MemoryObjectStore();
  const highway = { highway: 'residential' };
  const node = (id: number, lng: number, lat = 50) => ({ id, lng, lat });
  const ways = [
    { id: 7, refs: [1, 2, 3], tags: highway },
    { id: 9, refs: [3, 5], tags: highway },
    ...(options.tail ? [{ id: 8, refs: [3, 4], tags: highway }] : []),
    ...(options.side ? [{ id: 10, refs: [2, 6], tags: highway }] : []),
  ];
  const nodes = [
    node(1, 10),
    node(2, 10.01),
    node(3, 10.02),
    node(4, 10.03),
    node(5, 10.02, 50.01),
    node(6, 10.01, 50.01),
  ];
  await buildTileset({ kind: 'elements', read: (sink) => playFixture({ nodes, ways }, sink) }, objects);
  return openTileset(objects);
}

describe('the state of replaced roads', () => {
  it('M-043: stays on edges of the same id, on each piece of a split road, not on removed ones', async () => {
    const [old, present] = [await road({ side: false, tail: true }), await road({ side: true, tail: false })];
    const roads = fresh();
    const whole = { tilesetId: old.tilesetId, expiresMs: now + 10_000 };
    applyIncident(roads, old, incident('split', { ...whole, edgeIds: ['7:1-3+'] }), now);
    applyIncident(roads, old, incident('gone', { ...whole, edgeIds: ['8:3-4+'] }), now);
    applyIncident(roads, old, incident('same', { ...whole, edgeIds: ['9:3-5+', '8:3-4+'] }), now);
    for (const edgeId of ['7:1-3-', '9:5-3-']) roads.speeds.set(edgeId, 12);

    const carried = carryOver(roads, present, now);
    expect([...carried.incidents.values()].map(({ edgeIds }) => edgeIds)).toEqual([
      ['7:1-2+', '7:2-3+'],
      [],
      ['9:3-5+'],
    ]);
    const ids = ['7:1-2+', '7:2-3+', '9:3-5+', '9:5-3-', '7:3-2-'];
    expect(edgeChanges(carried, present, ids).map(({ edge: _, ...rest }) => rest)).toEqual([
      ...[{ closed: true }, { closed: true }, { closed: true }],
      // The speed of a split road applies to none of its pieces: no event would report that traffic flows
      // again.
      ...[{ speedKph: 12 }, { cleared: true }],
    ]);
    // A removed road is closed again when a later map contains it again.
    const back = carryOver(carried, old, now);
    const onBoth = [...back.incidents.values()].map(({ edgeIds }) => edgeIds);
    expect(onBoth).toEqual([['7:1-3+'], ['8:3-4+'], ['9:3-5+', '8:3-4+']]);
    // The end of an incident that was recorded on the old roads ends it here.
    const ended = applyIncident(
      carried,
      present,
      { ...incident('split', whole), edgeIds: ['7:1-3+'], active: false },
      now,
    );
    expect(ended.edgeIds).toEqual(new Set(['7:1-2+', '7:2-3+']));
    // A carried speed is valid for a quarter of an hour without new events.
    expect(expireCarried(carried, now + 899_999).edgeIds.size).toBe(0);
    expect([...expireCarried(carried, now + 900_000).edgeIds]).toEqual(['9:5-3-']);
    expect(carried.carried.size).toBe(0);
  });
});
