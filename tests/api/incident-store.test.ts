import { expect, test } from 'vitest';
import * as limits from '#api/http/limits.js';
import { IncidentStore } from '#api/incidents/incident-store.js';
import { type IncidentChanged, incidentKind, incidentSource } from '#schemas/messages.js';

const incident = (incidentId: string, over: Partial<IncidentChanged> = {}): IncidentChanged => ({
  incidentId,
  kind: incidentKind.closed,
  source: incidentSource.operator,
  active: true,
  tilesetId: 't',
  edgeIds: ['1:2-3+'],
  speedKph: 0,
  startedMs: 100,
  expiresMs: 200,
  evidence: '',
  lastEvidenceMs: 0,
  ...over,
});

test('an incident ends at the time that it names', () => {
  let nowMs = 199;
  const book = new IncidentStore(() => nowMs);
  book.apply(incident('a'));
  expect(book.find('a')?.incidentId).toBe('a');
  nowMs = 200;
  expect(book.find('a')).toBeUndefined();
  expect(book.active()).toEqual([]);
});

test('an incident ends by its record; one without expiry stays', () => {
  const book = new IncidentStore(() => 1e12);
  book.apply(incident('a', { expiresMs: 0 }));
  book.apply(incident('b', { expiresMs: 0, startedMs: 300, source: incidentSource.detected }));
  expect(book.active().map(({ incidentId }) => incidentId)).toEqual(['b', 'a']);
  book.apply(incident('b', { active: false }));
  expect(book.active().map(({ incidentId }) => incidentId)).toEqual(['a']);
});

test('is bounded, and still applies events of the incidents that it holds', () => {
  const book = new IncidentStore(() => 0);
  for (let index = 0; index < limits.incidentsMax + 5; index += 1) book.apply(incident(`i${index}`));
  expect(book.full).toBe(true);
  expect(book.active().length).toBe(limits.incidentsMax);
  book.apply(incident('i3', { evidence: 'again' }));
  expect(book.find('i3')?.evidence).toBe('again');
});
