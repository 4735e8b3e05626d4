import { type EventLog, LogUnavailable } from '#platform/event-log/event-log.js';
import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import {
  type AcceptedRoads,
  getAcceptedRoads,
  listRoadProposals,
  postRoadReview,
  type RoadProposal,
} from '#schemas/http/road-proposals.js';
import type { RoadReviewed } from '#schemas/messages.js';
import { E7 } from '#schemas/units.js';
import { outcomeUnknown } from '../http/outcome-unknown.js';
import * as messages from './messages.js';
import type { KnownRoad, RoadProposalStore } from './road-proposal-store.js';

export interface RoadProposalDeps {
  readonly book: RoadProposalStore;
  readonly log: EventLog;
  readonly codec: TopicCodec<RoadReviewed>;
  readonly nowMs: () => number;
}

/** Operators review proposed roads. Only accepted roads are exported. */
export const roadProposalRoutes = ({ book, log, codec, nowMs }: RoadProposalDeps): readonly Route[] => [
  route(listRoadProposals, ({ query }) => ({
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: {
      roads: book
        .all()
        .map(viewOf)
        .filter(({ state }) => query.state === undefined || state === query.state),
    },
  })),
  route(postRoadReview, async ({ params, body, identity }) => {
    const road = book.find(params.id);
    if (road === undefined) return problem(problems.notFound, messages.noRoad);
    const { roadId, tilesetId, latE7, lngE7, oneWay } = road.proposed;
    const { accept, highway = 'unclassified', one_way: isOneWay = oneWay, name = '', note = '' } = body;
    const review: RoadReviewed = {
      ...{ roadId, tilesetId, latE7, lngE7, name, note },
      accepted: accept,
      oneWay: isOneWay,
      highway: accept ? highway : '',
      reviewer: identity.userId,
      reviewedMs: nowMs(),
    };
    try {
      await log.append(codec.topic.name, [{ key: roadId, value: codec.encode(review) }]);
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      return outcomeUnknown(messages.retry);
    }
    book.applyReview(review);
    return { status: 200, body: viewOf({ proposed: road.proposed, reviewed: review }) };
  }),
  route(getAcceptedRoads, () => ({
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: { type: 'FeatureCollection', features: book.all().flatMap(featureOf) },
  })),
];

function viewOf({ proposed, reviewed }: KnownRoad): RoadProposal {
  const state = reviewed === undefined ? 'proposed' : reviewed.accepted ? 'accepted' : 'refused';
  return {
    road_id: proposed.roadId,
    state,
    geometry: lineOf(proposed),
    passes: proposed.passes,
    drivers: proposed.drivers,
    one_way: proposed.oneWay,
    last_seen_at: new Date(proposed.lastMs).toISOString(),
  };
}

function featureOf({ reviewed }: KnownRoad): AcceptedRoads['features'] {
  if (reviewed?.accepted !== true) return [];
  const { roadId, highway, name, oneWay } = reviewed;
  const properties = {
    highway,
    ...(name === '' ? {} : { name }),
    ...(oneWay ? { oneway: 'yes' } : {}),
    source: 'drives',
  };
  return [{ type: 'Feature', id: roadId, geometry: lineOf(reviewed), properties }];
}

/** The line that was reviewed, so that later drives do not move an accepted road. */
const lineOf = ({ lngE7, latE7 }: Pick<RoadReviewed, 'lngE7' | 'latE7'>): RoadProposal['geometry'] => ({
  type: 'LineString',
  coordinates: lngE7.map((lng, i) => [lng / E7, latE7[i]! / E7]),
});
