import type { FieldError } from '#platform/http/problem.js';
import { incidentLastsSMax, type PutIncident } from '#schemas/http/incidents.js';
import { type IncidentChanged, incidentKind, incidentSource } from '#schemas/messages.js';
import type { Roads } from '../ports/roads.js';
import * as messages from './messages.js';

export type PutOutcome =
  | { readonly kind: 'ok'; readonly incident: IncidentChanged }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

interface Present {
  readonly roads: Roads;
  readonly nowMs: number;
  /** What is active under the id. */
  readonly before: IncidentChanged | undefined;
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Turns an incident of a feed into its record. It keeps the time at which it was first written. */
export function putOutcome(id: string, asked: PutIncident, { roads, nowMs, before }: Present): PutOutcome {
  const errors: FieldError[] = [];
  const refuse = (pointer: string, message: string): void => void errors.push({ pointer, message });
  const isSlow = asked.kind === 'slow';
  if (isSlow && asked.speed_kph === undefined) refuse('/speed_kph', messages.slowNeedsSpeed);
  if (!isSlow && asked.speed_kph !== undefined) refuse('/speed_kph', messages.closedHasNoSpeed);
  const expiresMs = rfc3339.test(asked.expires_at) ? Date.parse(asked.expires_at) : Number.NaN;
  if (!(expiresMs > nowMs && expiresMs <= nowMs + 1_000 * incidentLastsSMax))
    refuse('/expires_at', messages.noExpiry);
  if (asked.tileset_id !== roads.tilesetId) refuse('/tileset_id', messages.wrongTileset(roads.tilesetId));
  else {
    const unknown = asked.edge_ids.findIndex((edgeId) => roads.edgeOf(edgeId) === undefined);
    if (unknown >= 0) refuse(`/edge_ids/${unknown}`, messages.noEdge);
  }
  if (errors.length > 0) return { kind: 'invalid', errors };
  return {
    kind: 'ok',
    incident: {
      incidentId: id,
      kind: incidentKind[asked.kind],
      source: incidentSource.operator,
      active: true,
      tilesetId: roads.tilesetId,
      edgeIds: asked.edge_ids,
      // As the record holds it, so that reading it back compares equal.
      speedKph: Math.fround(asked.speed_kph ?? 0),
      startedMs: before?.startedMs ?? nowMs,
      expiresMs,
      evidence: asked.note ?? messages.byOperator,
      lastEvidenceMs: 0,
    },
  };
}

/** Nothing that the record says would change. */
export function isSame(before: IncidentChanged, after: IncidentChanged): boolean {
  const { edgeIds } = after;
  return (
    before.kind === after.kind &&
    Math.fround(before.speedKph) === after.speedKph &&
    before.tilesetId === after.tilesetId &&
    before.expiresMs === after.expiresMs &&
    before.evidence === after.evidence &&
    before.edgeIds.length === edgeIds.length &&
    before.edgeIds.every((edgeId, i) => edgeId === edgeIds[i])
  );
}

/** Written under an id of another platform's feed, see `putIncident`. */
export const isImported = ({ incidentId }: Pick<IncidentChanged, 'incidentId'>): boolean =>
  incidentId.includes(':');
