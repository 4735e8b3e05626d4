import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { getNavigation, type Navigation } from '#schemas/http/nav.js';
import { type NavigationChanged, navigationState } from '#schemas/messages.js';
import { E7 } from '#schemas/units.js';
import { privateHeaders } from '../http/private-answers.js';
import { noSuchNavigation } from './messages.js';
import type { NavigationStore } from './navigation-store.js';

function stateOf({ state }: NavigationChanged): Navigation['state'] {
  if (state === navigationState.ended) return 'ended';
  return state === navigationState.unreachable ? 'unreachable' : 'active';
}

const view = (record: NavigationChanged): Navigation => ({
  navigation_id: record.navigationId,
  state: stateOf(record),
  destination: { lat: record.destinationLatE7 / E7, lng: record.destinationLngE7 / E7 },
  avoid: [...record.avoid],
  tileset_id: record.tilesetId,
  tiles: [...record.tiles],
  edge_ids: [...record.edgeIds],
  duration_s: record.durationS,
  metric_version: record.metricVersion,
  route_version: record.routeVersion,
  changed_at: new Date(record.changedMs).toISOString(),
});

/** A navigation, for its owner; foreign and unknown ones get the same answer. */
export const navigationRoute = (book: NavigationStore): Route =>
  route(getNavigation, ({ params, identity }) => {
    const record = book.find(identity.userId, params.id);
    if (record === undefined) return problem(problems.notFound, noSuchNavigation);
    return { status: 200, headers: privateHeaders, body: view(record) };
  });
