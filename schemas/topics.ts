/** Settings of one topic. Both event logs create it from this record, and AsyncAPI is derived from it. */
export interface TopicContract {
  readonly name: string;
  /** File below `schemas/proto/` and full name of the message that the value holds. */
  readonly proto: { readonly file: string; readonly message: string };
  /** The record's key, which decides the partition and so the order. */
  readonly key: string;
  readonly partitions: number;
  readonly retention:
    | { readonly policy: 'delete'; readonly ageMs: number; readonly bytesPerPartition: number }
    | { readonly policy: 'compact' };
  /** The package or processor that writes it; it has no other writer. */
  readonly owner: string;
  /** One sentence for analysts. */
  readonly summary: string;
}

const DAY_MS = 86_400_000;
const GIB = 2 ** 30;

const topic = <const Contract extends TopicContract>(contract: Contract): Contract => contract;

export const locationBatchRecorded = topic({
  name: 'location.batch.recorded.v1',
  proto: { file: 'location.proto', message: 'meridian.location.v1.LocationBatch' },
  key: 'user id',
  partitions: 8,
  retention: { policy: 'delete', ageMs: 7 * DAY_MS, bytesPerPartition: 4 * GIB },
  owner: 'ingest',
  summary: "Every accepted batch of a user's locations, in the order of acceptance.",
});

export const trafficEdgeObserved = topic({
  name: 'traffic.edge.observed.v1',
  proto: { file: 'traffic.proto', message: 'meridian.traffic.v1.EdgeObservations' },
  key: 'cell number',
  partitions: 4,
  retention: { policy: 'delete', ageMs: DAY_MS, bytesPerPartition: GIB },
  owner: 'processors/matching',
  summary: 'Passages of road edges, edges that drivers turned away from, and turns, by cell.',
});

export const trafficSegmentSpeed = topic({
  name: 'traffic.segment.speed.v1',
  proto: { file: 'traffic.proto', message: 'meridian.traffic.v1.SegmentSpeeds' },
  key: 'cell number',
  partitions: 4,
  retention: { policy: 'delete', ageMs: DAY_MS, bytesPerPartition: GIB },
  owner: 'processors/traffic',
  summary: 'Speeds of road edges that moved enough to matter, by cell.',
});

export const trafficClosureReported = topic({
  name: 'traffic.closure.reported.v1',
  proto: { file: 'traffic.proto', message: 'meridian.traffic.v1.ClosureReported' },
  key: 'cell number',
  // The same partitions as the observations with which they are combined.
  partitions: 4,
  retention: { policy: 'delete', ageMs: DAY_MS, bytesPerPartition: GIB },
  owner: 'api',
  summary: 'What users say about closed and open roads; evidence, never a closure by itself.',
});

export const trafficIncidentChanged = topic({
  name: 'traffic.incident.changed.v1',
  proto: { file: 'traffic.proto', message: 'meridian.traffic.v1.IncidentChanged' },
  key: 'incident id',
  partitions: 1,
  retention: { policy: 'compact' },
  owner: 'api (operators) and processors/traffic (detected)',
  summary: 'Closures and slow-downs as they begin, change and end.',
});

export const roadMetricCustomized = topic({
  name: 'road.metric.customized.v1',
  proto: { file: 'metric.proto', message: 'meridian.metric.v1.MetricCustomized' },
  key: 'tileset id',
  partitions: 1,
  retention: { policy: 'delete', ageMs: DAY_MS, bytesPerPartition: GIB },
  owner: 'processors/customization',
  summary: 'A new version of the driving metric is in the object store.',
});

export const navSessionChanged = topic({
  name: 'nav.session.changed.v1',
  proto: { file: 'nav.proto', message: 'meridian.nav.v1.NavigationChanged' },
  key: 'user id',
  partitions: 8,
  retention: { policy: 'compact' },
  owner: 'api',
  summary: 'Navigations that begin, change route or end.',
});

export const navProgress = topic({
  name: 'nav.progress.v1',
  proto: { file: 'nav.proto', message: 'meridian.nav.v1.NavigationProgress' },
  key: 'user id',
  partitions: 8,
  retention: { policy: 'delete', ageMs: DAY_MS, bytesPerPartition: GIB },
  owner: 'api',
  summary: 'Positions that navigating users sent over their socket.',
});

export const navRouteChanged = topic({
  name: 'nav.route.changed.v1',
  proto: { file: 'nav.proto', message: 'meridian.nav.v1.RouteChanged' },
  key: 'user id',
  partitions: 8,
  retention: { policy: 'delete', ageMs: DAY_MS, bytesPerPartition: GIB },
  owner: 'processors/reroute',
  summary: 'Better routes decided for navigating users.',
});

export const mapTraceStray = topic({
  name: 'map.trace.stray.v1',
  proto: { file: 'map.proto', message: 'meridian.map.v1.StrayTrace' },
  key: 'square of the map',
  partitions: 4,
  retention: { policy: 'delete', ageMs: 7 * DAY_MS, bytesPerPartition: GIB },
  owner: 'processors/matching',
  summary: 'Parts of drives that no known road explains.',
});

export const mapRoadProposed = topic({
  name: 'map.road.proposed.v1',
  proto: { file: 'map.proto', message: 'meridian.map.v1.RoadProposed' },
  key: 'road id',
  partitions: 1,
  retention: { policy: 'compact' },
  owner: 'processors/new-roads',
  summary: 'Roads that enough drivers drove and the map lacks, for review.',
});

export const navArrivalObserved = topic({
  name: 'nav.arrival.observed.v1',
  proto: { file: 'nav.proto', message: 'meridian.nav.v1.ArrivalObserved' },
  key: 'corridor',
  partitions: 1,
  retention: { policy: 'delete', ageMs: 60 * DAY_MS, bytesPerPartition: GIB },
  owner: 'processors/arrival-times',
  summary:
    'Finished trips beside the arrival times that were said when they began, for learning and for scores.',
});

export const mapRoadReviewed = topic({
  name: 'map.road.reviewed.v1',
  proto: { file: 'map.proto', message: 'meridian.map.v1.RoadReviewed' },
  key: 'road id',
  partitions: 1,
  retention: { policy: 'compact' },
  owner: 'api',
  summary: 'What operators decided about proposed roads.',
});

export const userPersonalizationChanged = topic({
  name: 'user.personalization.changed.v1',
  proto: { file: 'user.proto', message: 'meridian.user.v1.PersonalizationChanged' },
  key: 'user id',
  // The same partitions as the locations with which they are combined.
  partitions: 8,
  retention: { policy: 'compact' },
  owner: 'api',
  summary: 'Users who allowed or revoked that their usual places and routes are learned.',
});

export const mapSquarePlanned = topic({
  name: 'map.square.planned.v1',
  proto: { file: 'map.proto', message: 'meridian.map.v1.MapSquarePlanned' },
  key: 'build id and square',
  // Up to this many workers render in parallel.
  partitions: 16,
  retention: { policy: 'delete', ageMs: DAY_MS, bytesPerPartition: GIB },
  owner: 'tile-builder (meridian tiles build --over-log)',
  summary: 'Squares of the map that wait to be drawn by `meridian tiles work`.',
});

export const mapSquareDrawn = topic({
  name: 'map.square.drawn.v1',
  proto: { file: 'map.proto', message: 'meridian.map.v1.MapSquareDrawn' },
  key: 'build id and square',
  partitions: 1,
  retention: { policy: 'delete', ageMs: DAY_MS, bytesPerPartition: GIB },
  owner: 'tile-builder (meridian tiles work)',
  summary: 'Squares of the map whose tiles are in the object store.',
});

export const hotelInventoryChanged = topic({
  name: 'hotel.inventory.changed.v1',
  proto: { file: 'hotel.proto', message: 'meridian.hotel.v1.InventoryChanged' },
  key: 'hotel id, slash, room type id',
  partitions: 8,
  // A day is first written 730 days ahead, so the topic contains every day that can still be booked.
  retention: { policy: 'delete', ageMs: 800 * DAY_MS, bytesPerPartition: 64 * GIB },
  owner: 'hotel',
  summary: 'Counts of rooms by hotel, room type and day, after every change of them.',
});

export const hotelAriChanged = topic({
  name: 'hotel.ari.changed.v1',
  proto: { file: 'hotel.proto', message: 'meridian.hotel.v1.AriChanged' },
  key: 'hotel id',
  partitions: 8,
  // A channel that was away for longer takes a snapshot again.
  retention: { policy: 'delete', ageMs: 7 * DAY_MS, bytesPerPartition: 4 * GIB },
  owner: 'hotel',
  summary: 'Availability, rates and restrictions by hotel, room type and day, for channels that sell them.',
});

export const reservationLifecycle = topic({
  name: 'reservation.lifecycle.v1',
  proto: { file: 'hotel.proto', message: 'meridian.hotel.v1.ReservationChanged' },
  key: 'reservation id',
  partitions: 8,
  retention: { policy: 'delete', ageMs: 30 * DAY_MS, bytesPerPartition: 4 * GIB },
  owner: 'hotel',
  summary: 'Every change of a reservation, with all of it as it stands then.',
});

export const paymentOrderLifecycle = topic({
  name: 'payment.order.lifecycle.v1',
  proto: { file: 'payment.proto', message: 'meridian.payment.v1.PaymentOrderChanged' },
  key: 'payment order id',
  partitions: 8,
  retention: { policy: 'delete', ageMs: 30 * DAY_MS, bytesPerPartition: 4 * GIB },
  owner: 'payment',
  summary: 'Every change of a payment order, its refunds and disputes, in order for each payment order.',
});

export const paymentRetry = topic({
  name: 'payment.retry.v1',
  proto: { file: 'payment.proto', message: 'meridian.payment.v1.PaymentRetry' },
  key: 'payment order id or refund id',
  partitions: 4,
  retention: { policy: 'delete', ageMs: 7 * DAY_MS, bytesPerPartition: GIB },
  owner: 'payment',
  summary: 'Payments and refunds that are tried again, with the number of tries and the time of the next.',
});

export const paymentDeadLetter = topic({
  name: 'payment.dlq.v1',
  proto: { file: 'payment.proto', message: 'meridian.payment.v1.PaymentDeadLetter' },
  key: 'payment order id or refund id',
  partitions: 1,
  retention: { policy: 'delete', ageMs: 90 * DAY_MS, bytesPerPartition: GIB },
  owner: 'payment',
  summary:
    'Payments and refunds that were given up, with the cause; ' +
    '`meridian payment dlq` shows and re-drives them.',
});

export const paymentNotice = topic({
  name: 'payment.notice.v1',
  proto: { file: 'payment.proto', message: 'meridian.payment.v1.PaymentNotice' },
  key: 'payment order id',
  partitions: 4,
  retention: { policy: 'delete', ageMs: 30 * DAY_MS, bytesPerPartition: GIB },
  owner: 'payment',
  summary: 'What a person should be told: e-mails to buyers, alerts to operators.',
});

export const deadLetter = topic({
  name: 'dead.letter.v1',
  proto: { file: 'dead-letter.proto', message: 'meridian.deadletter.v1.DeadLetter' },
  key: 'topic and partition of the record',
  partitions: 1,
  retention: { policy: 'delete', ageMs: 30 * DAY_MS, bytesPerPartition: GIB },
  owner: 'platform/stream',
  summary: 'Records that a consumer could not digest, with cause and position.',
});

export const topics: readonly TopicContract[] = [
  locationBatchRecorded,
  trafficEdgeObserved,
  trafficSegmentSpeed,
  trafficClosureReported,
  trafficIncidentChanged,
  roadMetricCustomized,
  navSessionChanged,
  navProgress,
  navRouteChanged,
  navArrivalObserved,
  mapTraceStray,
  mapRoadProposed,
  mapRoadReviewed,
  userPersonalizationChanged,
  mapSquarePlanned,
  mapSquareDrawn,
  hotelInventoryChanged,
  hotelAriChanged,
  reservationLifecycle,
  paymentOrderLifecycle,
  paymentRetry,
  paymentDeadLetter,
  paymentNotice,
  deadLetter,
];
