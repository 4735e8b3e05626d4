import { randomUUID } from 'node:crypto';
import type { FieldError } from '#platform/http/problem.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import type { NewIncident } from '#schemas/http/incidents.js';
import { type IncidentChanged, incidentKind, incidentSource } from '#schemas/messages.js';
import { incidentSnapMetresMax } from '../http/limits.js';
import type { Roads } from '../ports/roads.js';
import * as messages from './messages.js';

export type NewIncidentOutcome =
  | { readonly kind: 'ok'; readonly incident: IncidentChanged }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'no-road'; readonly detail: string };

const drivingOnly = ['driving'] as const;

const invalid = (pointer: string, message: string): NewIncidentOutcome => ({
  kind: 'invalid',
  errors: [{ pointer, message }],
});

/** Turns an operator's request into the record of an incident: which edges, until when. */
export function newIncident(asked: NewIncident, roads: Roads, nowMs: number): NewIncidentOutcome {
  if ((asked.at === undefined) === (asked.edge_id === undefined)) return invalid('/at', messages.oneRoad);
  if (asked.kind === 'slow' && asked.speed_kph === undefined)
    return invalid('/speed_kph', messages.slowNeedsSpeed);
  if (asked.kind !== 'slow' && asked.speed_kph !== undefined)
    return invalid('/speed_kph', messages.closedHasNoSpeed);

  const modes = asked.kind === 'blocked' ? travelModes : drivingOnly;
  const edge =
    asked.edge_id === undefined
      ? roads.nearest(asked.at!, incidentSnapMetresMax, modes)
      : roads.edgeOf(asked.edge_id);
  if (edge === undefined) {
    const detail = asked.edge_id === undefined ? messages.noRoadNear(incidentSnapMetresMax) : messages.noEdge;
    return { kind: 'no-road', detail };
  }
  const opposite = asked.both_directions === false ? undefined : roads.oppositeOf(edge, modes);
  const edges = opposite === undefined ? [edge] : [edge, opposite];
  return {
    kind: 'ok',
    incident: {
      incidentId: randomUUID(),
      kind: incidentKind[asked.kind],
      source: incidentSource.operator,
      active: true,
      tilesetId: roads.tilesetId,
      edgeIds: edges.map((each) => roads.edgeIdOf(each)),
      speedKph: asked.speed_kph ?? 0,
      startedMs: nowMs,
      expiresMs: nowMs + asked.expires_in_s * 1_000,
      evidence: asked.note ?? messages.byOperator,
      lastEvidenceMs: 0,
    },
  };
}
