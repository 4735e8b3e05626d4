import type { Incident } from '#schemas/http/incidents.js';
import { type IncidentChanged, incidentKindName, incidentSource } from '#schemas/messages.js';
import type { Roads } from '../ports/roads.js';

/** What every view of an incident says, and the edges that this tileset has. */
export function incidentFacts(incident: IncidentChanged, roads: Roads) {
  const edges = incident.edgeIds.flatMap((id) => roads.edgeOf(id) ?? []);
  const facts = {
    incident_id: incident.incidentId,
    kind: incidentKindName(incident.kind),
    source: incident.source === incidentSource.detected ? ('detected' as const) : ('operator' as const),
    road: edges.map((edge) => roads.nameOf(edge)).find((name) => name !== '') ?? '',
    started_at: new Date(incident.startedMs).toISOString(),
    expires_at: incident.expiresMs === 0 ? null : new Date(incident.expiresMs).toISOString(),
    evidence: incident.evidence,
  };
  return { edges, facts };
}

/** An incident as clients see it. Edges that this tileset lacks are listed but not drawn. */
export function incidentView(incident: IncidentChanged, roads: Roads): Incident {
  const { edges, facts } = incidentFacts(incident, roads);
  return {
    ...facts,
    active: incident.active,
    edge_ids: [...incident.edgeIds],
    geometry: {
      type: 'MultiLineString',
      coordinates: edges.map((edge) => roads.lineOf(edge).map(([lng, lat]) => [lng, lat])),
    },
    ...(facts.kind === 'slow' ? { speed_kph: incident.speedKph } : {}),
  };
}
