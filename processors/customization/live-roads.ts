import { incidentEdges } from '#map-data/metric/incident-edges.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { EdgeChange } from '#routing-engine/overlay/metric.js';
import { closesDriving, type IncidentChanged, incidentKind, type SegmentSpeeds } from '#schemas/messages.js';
import { carriedKeptMs } from '../limits.js';

/** The live state of the roads; the caller stores it together with the offsets. */
export interface LiveRoads {
  /** Live speed by stable edge id, km/h. */
  readonly speeds: Map<string, number>;
  /** Active incidents, by id. */
  readonly incidents: Map<string, HeldIncident>;
  /**
   * Live speeds of the previous tileset. Each is kept until the streams report its edge on this tileset, at
   * most until `carriedUntilMs`.
   */
  readonly carried: Map<string, number>;
  readonly carriedUntilMs: number;
}

/** An incident with the edges that it is on now. */
export interface HeldIncident extends IncidentChanged {
  /**
   * As the log has it: its edges are computed for each tileset, because a removed road may be added again.
   */
  readonly recorded: IncidentChanged;
}

export const noRoads = (): LiveRoads => ({
  speeds: new Map(),
  incidents: new Map(),
  carried: new Map(),
  carriedUntilMs: 0,
});

/**
 * The live state of another tileset that is also valid on this one. Incidents apply to the edges with the
 * same id, and to all pieces of a road that got new crossings. Speeds apply only to edges with the same id,
 * because no stream would report when a piece flows again.
 */
export function carryOver(before: LiveRoads, network: RoadNetwork, nowMs: number): LiveRoads {
  const incidents = [...before.incidents.values()].map(({ recorded }) => onPresentRoads(recorded, network));
  const speeds = [...before.carried, ...before.speeds].filter(
    ([id]) => network.edgeByStableId(id) !== undefined,
  );
  return {
    speeds: new Map(),
    incidents: new Map(incidents.map((incident) => [incident.incidentId, incident])),
    carried: new Map(speeds),
    carriedUntilMs: nowMs + carriedKeptMs,
  };
}

export function onPresentRoads(recorded: IncidentChanged, network: RoadNetwork): HeldIncident {
  const { tilesetId } = network;
  if (recorded.tilesetId === tilesetId) return { ...recorded, recorded };
  const edgeIds = incidentEdges(network, recorded).map((edge) => network.edgeId(edge));
  return { ...recorded, tilesetId, edgeIds, recorded };
}

/** Edges whose state may have changed, with the reason for people. */
export interface RoadChange {
  readonly edgeIds: ReadonlySet<string>;
  readonly reasons: readonly string[];
}

/** Speeds of one cell. Those of another tileset change nothing. */
export function applySpeeds(roads: LiveRoads, network: RoadNetwork, message: SegmentSpeeds): RoadChange {
  const edgeIds = new Set<string>();
  const reasons: string[] = [];
  if (message.tilesetId !== network.tilesetId) return { edgeIds, reasons };
  for (const { edgeId, speedKph, probes, cleared } of message.segments) {
    if (cleared) roads.speeds.delete(edgeId);
    else if (speedKph > 0) roads.speeds.set(edgeId, speedKph);
    edgeIds.add(edgeId);
    const name = roadName(network, [edgeId]);
    reasons.push(
      cleared
        ? `${name} has normal traffic again`
        : `${name} at ${Math.round(speedKph)} km/h (${probes} drivers)`,
    );
  }
  return { edgeIds, reasons };
}

/** A repeated record, or the end of an unknown incident, changes nothing. */
export function applyIncident(
  roads: LiveRoads,
  network: RoadNetwork,
  recorded: IncidentChanged,
  nowMs: number,
): RoadChange {
  const incident = onPresentRoads(recorded, network);
  const before = roads.incidents.get(incident.incidentId);
  const holds = incident.active && !isOver(incident, nowMs);
  if (holds) roads.incidents.set(incident.incidentId, incident);
  else roads.incidents.delete(incident.incidentId);
  const edgeIds = new Set([...(before?.edgeIds ?? []), ...(holds ? incident.edgeIds : [])]);
  const reported = holds ? incident : before;
  return { edgeIds, reasons: reported === undefined ? [] : [reasonOf(network, reported, holds)] };
}

/** Removes expired incidents. */
export function expireIncidents(roads: LiveRoads, network: RoadNetwork, nowMs: number): RoadChange {
  const over = [...roads.incidents.values()].filter((incident) => isOver(incident, nowMs));
  for (const { incidentId } of over) roads.incidents.delete(incidentId);
  return {
    edgeIds: new Set(over.flatMap(({ edgeIds }) => edgeIds)),
    reasons: over.map((incident) => reasonOf(network, incident, false)),
  };
}

/** Removes the speeds of the previous tileset when nothing has confirmed them for long enough. */
export function expireCarried(roads: LiveRoads, nowMs: number): RoadChange {
  if (roads.carried.size === 0 || nowMs < roads.carriedUntilMs) return { edgeIds: new Set(), reasons: [] };
  const edgeIds = new Set(roads.carried.keys());
  roads.carried.clear();
  return { edgeIds, reasons: [] };
}

/**
 * The state of each edge in the metric. Closed overrides slowed, slowed overrides live speed, live speed
 * overrides free flow.
 */
export function edgeChanges(roads: LiveRoads, network: RoadNetwork, edgeIds: Iterable<string>): EdgeChange[] {
  const wanted = new Set(edgeIds);
  const byEdge = new Map<string, IncidentChanged[]>();
  for (const incident of roads.incidents.values()) {
    for (const id of incident.edgeIds) {
      if (wanted.has(id)) byEdge.set(id, [...(byEdge.get(id) ?? []), incident]);
    }
  }
  const changes: EdgeChange[] = [];
  for (const id of wanted) {
    const edge = network.edgeByStableId(id);
    if (edge === undefined) continue;
    const incidents = byEdge.get(id) ?? [];
    if (incidents.some(({ kind }) => closesDriving(kind))) {
      changes.push({ edge, closed: true });
      continue;
    }
    const slowed = incidents.filter(({ kind, speedKph }) => kind === incidentKind.slow && speedKph > 0);
    const live = roads.speeds.get(id) ?? roads.carried.get(id);
    const speedKph = Math.min(
      ...slowed.map((each) => each.speedKph),
      // An incident that slows a road makes no jam faster.
      ...(live === undefined ? [] : [live]),
    );
    changes.push(Number.isFinite(speedKph) ? { edge, speedKph } : { edge, cleared: true });
  }
  return changes;
}

function isOver({ expiresMs }: IncidentChanged, nowMs: number): boolean {
  return expiresMs !== 0 && expiresMs <= nowMs;
}

/** Begins with the name of the road, so that the reasons of a road can be searched by name. */
function reasonOf(network: RoadNetwork, incident: IncidentChanged, holds: boolean): string {
  const { edgeIds, kind, evidence } = incident;
  const isClosed = closesDriving(kind);
  const now = holds ? (isClosed ? 'closed' : 'slow') : isClosed ? 'open again' : 'no longer slow';
  const because = holds && evidence !== '' ? `: ${evidence}` : '';
  return `${roadName(network, edgeIds)} ${now}${because}`;
}

function roadName(network: RoadNetwork, edgeIds: readonly string[]): string {
  for (const id of edgeIds) {
    const edge = network.edgeByStableId(id);
    const name = edge === undefined ? '' : network.edgeName(edge) || network.edgeRef(edge);
    if (name !== '') return name;
  }
  return 'A road without a name';
}
