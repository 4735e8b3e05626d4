import type { ListedClosure, OperationsAnswer } from '#schemas/http/operations.js';
import { operationsMax } from '#schemas/http/operations.js';
import type { IncidentChanged } from '#schemas/messages.js';
import type { FleetStore } from '../fleet/fleet-store.js';
import type { IncidentStore } from '../incidents/incident-store.js';
import { incidentFacts } from '../incidents/incident-view.js';
import type { Roads } from '../ports/roads.js';
import type { NavigationStore } from '../push/navigation-store.js';
import type { Presence } from '../push/presence.js';
import type { Releases } from '../release/served-release.js';
import type { MapArea } from '../road-tiles/tile-json.js';
import { squaresOf } from './squares.js';

/** What operators see of the gateway; the squares of load are those of `extent`, else of the map. */
export type GatewayView = (extent?: MapArea['bounds']) => Pick<OperationsAnswer, 'map' | 'closures' | 'load'>;

export interface GatewayParts {
  readonly releases: Releases;
  readonly incidents: IncidentStore;
  readonly fleet: FleetStore;
  readonly book: NavigationStore;
  readonly presence: Presence;
}

export const gatewayView = (parts: GatewayParts): GatewayView => {
  const { releases, incidents } = parts;
  return (extent) => {
    const active = incidents.active();
    const { roads } = releases.current;
    return {
      map: mapOf(releases),
      closures: {
        total: active.length,
        shown: active.slice(0, operationsMax.closures).map((incident) => closureOf(incident, roads)),
      },
      load: loadOf(parts, extent ?? roads.area.bounds),
    };
  };
};

const instant = (ms: number): string => new Date(ms).toISOString();

function mapOf({
  current: { roads, traffic, releaseId, metricVersions },
}: Releases): OperationsAnswer['map'] {
  const { version, publishedMs } = traffic();
  return {
    name: roads.area.name,
    release_id: releaseId ?? null,
    tileset_id: roads.tilesetId,
    bounds: [...roads.area.bounds],
    metrics: [...(metricVersions?.() ?? [{ mode: 'driving' as const, version }])],
    metric_published_at: publishedMs === undefined ? null : instant(publishedMs),
  };
}

function closureOf(incident: IncidentChanged, roads: Roads): ListedClosure {
  const { edges, facts } = incidentFacts(incident, roads);
  return {
    ...facts,
    at: edges[0] === undefined ? null : middleOf(edges[0], roads),
    edges: incident.edgeIds.length,
    speed_kph: facts.kind === 'slow' ? incident.speedKph : null,
    last_evidence_at: incident.lastEvidenceMs === 0 ? null : instant(incident.lastEvidenceMs),
  };
}

/** A point of the road near its middle. */
function middleOf(edge: number, roads: Roads): ListedClosure['at'] {
  const line = roads.lineOf(edge);
  const [a, b] = [line[Math.floor((line.length - 1) / 2)]!, line[Math.ceil((line.length - 1) / 2)]!];
  return { lng: (a[0] + b[0]) / 2, lat: (a[1] + b[1]) / 2 };
}

function loadOf(
  { fleet, book, presence }: GatewayParts,
  extent: MapArea['bounds'],
): OperationsAnswer['load'] {
  const drivers = fleet.size;
  return {
    drivers,
    points_per_second: Math.round(fleet.pointsPerSecond * 10) / 10,
    navigations: book.active,
    navigations_connected: presence.connected,
    ...squaresOf(extent, fleet.latest(drivers)),
  };
}
