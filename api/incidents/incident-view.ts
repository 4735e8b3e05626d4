import type { Incident } from '#schemas/http/incidents.js';
import { type IncidentChanged, incidentKindName, incidentSource } from '#schemas/messages.js';
import type { Roads } from '../ports/roads.js';

/** An incident as clients see it. Edges that this tileset lacks are listed but not drawn. */
export function incidentView(incident: IncidentChanged, roads: Roads): Incident {
  const edges = incident.edgeIds.flatMap((id) => roads.edgeOf(id) ?? []);
  const kind = incidentKindName(incident.kind);
  return {
    incident_id: incident.incidentId,
    kind,
    source: incident.source === incidentSource.detected ? 'detected' : 'operator',
    active: incident.active,
    edge_ids: [...incident.edgeIds],
    road: edges.map((edge) => roads.nameOf(edge)).find((name) => name !== '') ?? '',
    geometry: {
      type: 'MultiLineString',
      coordinates: edges.map((edge) => roads.lineOf(edge).map(([lng, lat]) => [lng, lat])),
    },
    ...(kind === 'slow' ? { speed_kph: incident.speedKph } : {}),
    started_at: new Date(incident.startedMs).toISOString(),
    expires_at: incident.expiresMs === 0 ? null : new Date(incident.expiresMs).toISOString(),
    evidence: incident.evidence,
  };
}
