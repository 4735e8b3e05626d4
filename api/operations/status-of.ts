import type { StatusAnswer } from '#schemas/http/map.js';
import type { FleetStore } from '../fleet/fleet-store.js';
import type { IncidentStore } from '../incidents/incident-store.js';
import type { NavigationStore } from '../push/navigation-store.js';
import type { Presence } from '../push/presence.js';
import type { Releases } from '../release/served-release.js';
import { attribution } from '../road-tiles/tile-json.js';
import type { PushDelays } from '../status/push-delays.js';

export interface GatewayBooks {
  readonly incidents: IncidentStore;
  readonly fleet: FleetStore;
  readonly book: NavigationStore;
  readonly presence: Presence;
  readonly delays: PushDelays;
}

/** Live figures of the city, for everybody. */
export function statusOf(
  {
    releases,
    adapters,
  }: { readonly releases: Releases; readonly adapters: Readonly<Record<string, string>> },
  books: GatewayBooks,
): StatusAnswer {
  const { roads, traffic } = releases.current;
  return {
    tileset: {
      id: roads.tilesetId,
      name: roads.area.name,
      edges: roads.edgeCount,
      cells: roads.cellCount,
      bounds: [...roads.area.bounds],
      middle: roads.area.middle,
      attribution,
    },
    metric_version: traffic().version,
    points_per_second: Math.round(books.fleet.pointsPerSecond * 10) / 10,
    drivers: books.fleet.size,
    navigations: books.book.active,
    navigations_connected: books.presence.connected,
    reroutes: books.delays.count,
    incidents: books.incidents.active().length,
    cause_to_push_ms: books.delays.medianMs,
    adapters: { ...adapters },
  };
}
