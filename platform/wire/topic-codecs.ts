import type { LocationBatch } from '#schemas/location.js';
import type {
  AriChanged,
  ArrivalObserved,
  ClosureReported,
  DeadLetter,
  EdgeObservations,
  IncidentChanged,
  InventoryChanged,
  MapSquareDrawn,
  MapSquarePlanned,
  MetricCustomized,
  NavigationChanged,
  NavigationProgress,
  PaymentDeadLetter,
  PaymentNotice,
  PaymentOrderChanged,
  PaymentRetry,
  PersonalizationChanged,
  ReservationChanged,
  RoadProposed,
  RoadReviewed,
  RouteChanged,
  SegmentSpeeds,
  StrayTrace,
} from '#schemas/messages.js';
import * as contracts from '#schemas/topics.js';
import { locationBatchBody } from './location-batch-body.js';
import { protobufTopicCodec } from './protobuf-topic-codec.js';
import type { SchemaRegistry } from './schema-registry.js';
import type { BodyCodec, TopicCodec } from './topic-codec.js';

/** One codec per topic, under the name of its contract in `schemas/topics.ts`. */
export interface TopicCodecs {
  readonly locationBatchRecorded: TopicCodec<LocationBatch>;
  readonly trafficEdgeObserved: TopicCodec<EdgeObservations>;
  readonly trafficSegmentSpeed: TopicCodec<SegmentSpeeds>;
  readonly trafficClosureReported: TopicCodec<ClosureReported>;
  readonly trafficIncidentChanged: TopicCodec<IncidentChanged>;
  readonly roadMetricCustomized: TopicCodec<MetricCustomized>;
  readonly navSessionChanged: TopicCodec<NavigationChanged>;
  readonly navProgress: TopicCodec<NavigationProgress>;
  readonly navRouteChanged: BodyCodec<RouteChanged>;
  readonly navArrivalObserved: TopicCodec<ArrivalObserved>;
  readonly mapTraceStray: TopicCodec<StrayTrace>;
  readonly mapRoadProposed: TopicCodec<RoadProposed>;
  readonly mapRoadReviewed: TopicCodec<RoadReviewed>;
  readonly userPersonalizationChanged: TopicCodec<PersonalizationChanged>;
  readonly mapSquarePlanned: TopicCodec<MapSquarePlanned>;
  readonly mapSquareDrawn: TopicCodec<MapSquareDrawn>;
  readonly hotelInventoryChanged: TopicCodec<InventoryChanged>;
  readonly hotelAriChanged: TopicCodec<AriChanged>;
  readonly reservationLifecycle: TopicCodec<ReservationChanged>;
  readonly paymentOrderLifecycle: TopicCodec<PaymentOrderChanged>;
  readonly paymentRetry: TopicCodec<PaymentRetry>;
  readonly paymentDeadLetter: TopicCodec<PaymentDeadLetter>;
  readonly paymentNotice: TopicCodec<PaymentNotice>;
  readonly deadLetter: TopicCodec<DeadLetter>;
}

/** Registers the schemas of all topics and makes their codecs. Rejects with `SchemaRegistryError`. */
export async function openTopicCodecs(registry: SchemaRegistry): Promise<TopicCodecs> {
  const codec = <Message extends object>(topic: contracts.TopicContract): Promise<BodyCodec<Message>> =>
    protobufTopicCodec<Message>(topic, registry);
  return {
    locationBatchRecorded: await protobufTopicCodec(
      contracts.locationBatchRecorded,
      registry,
      locationBatchBody,
    ),
    trafficEdgeObserved: await codec(contracts.trafficEdgeObserved),
    trafficSegmentSpeed: await codec(contracts.trafficSegmentSpeed),
    trafficClosureReported: await codec(contracts.trafficClosureReported),
    trafficIncidentChanged: await codec(contracts.trafficIncidentChanged),
    roadMetricCustomized: await codec(contracts.roadMetricCustomized),
    navSessionChanged: await codec(contracts.navSessionChanged),
    navProgress: await codec(contracts.navProgress),
    navRouteChanged: await codec(contracts.navRouteChanged),
    navArrivalObserved: await codec(contracts.navArrivalObserved),
    mapTraceStray: await codec(contracts.mapTraceStray),
    mapRoadProposed: await codec(contracts.mapRoadProposed),
    mapRoadReviewed: await codec(contracts.mapRoadReviewed),
    userPersonalizationChanged: await codec(contracts.userPersonalizationChanged),
    mapSquarePlanned: await codec(contracts.mapSquarePlanned),
    mapSquareDrawn: await codec(contracts.mapSquareDrawn),
    hotelInventoryChanged: await codec(contracts.hotelInventoryChanged),
    hotelAriChanged: await codec(contracts.hotelAriChanged),
    reservationLifecycle: await codec(contracts.reservationLifecycle),
    paymentOrderLifecycle: await codec(contracts.paymentOrderLifecycle),
    paymentRetry: await codec(contracts.paymentRetry),
    paymentDeadLetter: await codec(contracts.paymentDeadLetter),
    paymentNotice: await codec(contracts.paymentNotice),
    deadLetter: await codec(contracts.deadLetter),
  };
}
