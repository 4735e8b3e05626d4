import { expect, it } from 'vitest';
import type { Incident } from '#schemas/http/incidents.js';
import { streetsOf } from '#web/incidents/streets.js';

const incident = (incident_id: string, road: string, minute: number): Incident => ({
  ...{ incident_id, road, kind: 'closed', source: 'detected', active: true, edge_ids: [] },
  ...{ geometry: { type: 'MultiLineString', coordinates: [] }, expires_at: null, evidence: '' },
  started_at: `2026-11-27T10:${String(minute).padStart(2, '0')}:00Z`,
});

it('lists a street once, with its newest incident first, and the street with the newest one first', () => {
  const streets = streetsOf([
    incident('a', 'Vasagatan', 1),
    incident('b', '', 2),
    incident('c', 'Avenyn', 3),
    incident('d', 'Vasagatan', 9),
    incident('e', '', 4),
  ]);
  expect(streets.map(({ road, incidents }) => [road, ...incidents.map((each) => each.incident_id)])).toEqual([
    ['Vasagatan', 'd', 'a'],
    ['', 'e'],
    ['Avenyn', 'c'],
    ['', 'b'],
  ]);
});
