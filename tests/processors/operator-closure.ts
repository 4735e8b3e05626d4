import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { type IncidentChanged, incidentKind, incidentSource } from '#schemas/messages.js';

/** A road that an operator closed just now, without an end; `more` says what is different. */
export const operatorClosure = (
  network: RoadNetwork,
  incidentId: string,
  edge: number,
  more: Partial<IncidentChanged> = {},
): IncidentChanged => ({
  incidentId,
  kind: incidentKind.closed,
  source: incidentSource.operator,
  active: true,
  tilesetId: network.tilesetId,
  edgeIds: [network.edgeId(edge)],
  speedKph: 0,
  startedMs: Date.now(),
  expiresMs: 0,
  evidence: '',
  lastEvidenceMs: 0,
  ...more,
});
