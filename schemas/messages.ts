/**
 * The decoded values of the topics, field by field as in `schemas/proto/` (camelCase, 64-bit integers as
 * numbers below 2^53, enums as their number). A test compares these interfaces with the .proto files.
 * `LocationBatch` is in `location.ts`: its own codec decodes its columns into typed arrays.
 */
export const observationKind = { passed: 1, turnedAway: 2, turnedRound: 3 } as const;

export interface EdgeObservation {
  readonly edgeId: string;
  readonly kind: number;
  readonly enteredMs: number;
  readonly leftMs: number;
  /** Below 2^53, so that it is exact as a number. */
  readonly driver: number;
  readonly receivedMs: number;
  /** Stable id of the previous edge; absent or empty if the drive started here. */
  readonly cameFrom?: string | undefined;
  /** True while the platform guides the driver: the route is not the driver's own choice. */
  readonly guided?: boolean;
  /** True if the driver stayed on the previous route, and may not have received the new one. */
  readonly keptPrevious?: boolean | undefined;
}

export interface EdgeObservations {
  readonly tilesetId: string;
  readonly cell: number;
  readonly observations: readonly EdgeObservation[];
}

/** A user reports that an edge is closed or open. */
export interface ClosureReported {
  readonly tilesetId: string;
  readonly cell: number;
  readonly edgeId: string;
  /** Below 2^53. */
  readonly reporter: number;
  readonly closed: boolean;
  readonly reportedMs: number;
  readonly expiresMs: number;
}

export interface SegmentSpeed {
  readonly edgeId: string;
  readonly speedKph: number;
  readonly probes: number;
  readonly confidence: number;
  readonly cleared: boolean;
}

export interface SegmentSpeeds {
  readonly tilesetId: string;
  readonly cell: number;
  readonly windowEndMs: number;
  readonly segments: readonly SegmentSpeed[];
}

/** Part of a drive that no known road explains. */
export interface StrayTrace {
  readonly tilesetId: string;
  /** Below 2^53. */
  readonly driver: number;
  readonly receivedMs: number;
  readonly latE7: readonly number[];
  readonly lngE7: readonly number[];
}

export interface RoadProposed {
  readonly roadId: string;
  readonly tilesetId: string;
  readonly latE7: readonly number[];
  readonly lngE7: readonly number[];
  readonly passes: number;
  readonly drivers: number;
  readonly oneWay: boolean;
  readonly lastMs: number;
}

export interface RoadReviewed {
  readonly roadId: string;
  readonly tilesetId: string;
  readonly accepted: boolean;
  readonly latE7: readonly number[];
  readonly lngE7: readonly number[];
  readonly oneWay: boolean;
  readonly highway: string;
  readonly name: string;
  readonly reviewer: string;
  readonly reviewedMs: number;
  readonly note: string;
}

export interface PersonalizationChanged {
  readonly userId: string;
  readonly enabled: boolean;
  readonly changedMs: number;
}

/** A square of the map that waits to be rendered. */
export interface MapSquarePlanned {
  readonly buildId: string;
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly inputKey: string;
  readonly plannedMs: number;
}

export interface MapBlock {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly tiles: number;
}

/** A finished square of the map: all tiles are in the object store. */
export interface MapSquareDrawn {
  readonly buildId: string;
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly vector: readonly MapBlock[];
  readonly png: readonly MapBlock[];
  readonly cutTiles: number;
  readonly drawnMs: number;
}

export const incidentKind = { closed: 1, slow: 2, blocked: 3 } as const;
const incidentKindNames = Object.keys(incidentKind) as (keyof typeof incidentKind)[];
/** The name of a kind as HTTP and analysts have it; an unknown one, of a later version, counts as closed. */
export const incidentKindName = (kind: number): keyof typeof incidentKind =>
  incidentKindNames.find((name) => incidentKind[name] === kind) ?? 'closed';

/** Whether no car may enter the roads of an incident of this kind. */
export const closesDriving = (kind: number): boolean =>
  kind === incidentKind.closed || kind === incidentKind.blocked;
export const incidentSource = { operator: 1, detected: 2 } as const;

export interface IncidentChanged {
  readonly incidentId: string;
  readonly kind: number;
  readonly source: number;
  readonly active: boolean;
  readonly tilesetId: string;
  readonly edgeIds: readonly string[];
  readonly speedKph: number;
  readonly startedMs: number;
  readonly expiresMs: number;
  readonly evidence: string;
  readonly lastEvidenceMs: number;
}

export interface MetricCustomized {
  readonly tilesetId: string;
  readonly version: number;
  readonly cells: readonly number[];
  readonly objectKeys: readonly string[];
  readonly edgeIds: readonly string[];
  readonly causedMs: number;
  readonly publishedMs: number;
  readonly reasons: readonly string[];
  readonly whole: boolean;
}

export const navigationState = { started: 1, rerouted: 2, ended: 3, unreachable: 4 } as const;

export interface NavigationChanged {
  readonly navigationId: string;
  readonly userId: string;
  readonly state: number;
  readonly tilesetId: string;
  readonly destinationLatE7: number;
  readonly destinationLngE7: number;
  readonly edgeIds: readonly string[];
  readonly tiles: readonly string[];
  readonly durationS: number;
  /** Absent or 0 in records of earlier programs. */
  readonly distanceM?: number;
  /** Seconds of a faster route that the driver did not choose; absent or 0: none was faster. */
  readonly declinedS?: number;
  readonly metricVersion: number;
  readonly routeVersion: number;
  readonly avoid: readonly string[];
  readonly changedMs: number;
}

export interface RouteChanged {
  readonly navigationId: string;
  readonly userId: string;
  readonly routeVersion: number;
  readonly metricVersion: number;
  readonly tilesetId: string;
  readonly edgeIds: readonly string[];
  readonly fromFraction: number;
  readonly toFraction: number;
  readonly polyline: string;
  readonly durationS: number;
  readonly distanceM: number;
  readonly oldDurationS: number;
  readonly reason: string;
  readonly evidence: string;
  readonly causedMs: number;
  readonly decidedMs: number;
  readonly unreachable: boolean;
}

export interface NavigationProgress {
  readonly navigationId: string;
  readonly userId: string;
  readonly latE7: number;
  readonly lngE7: number;
  readonly timeMs: number;
}

/** A finished trip; durations in seconds. */
export interface ArrivalObserved {
  readonly tilesetId: string;
  readonly corridor: string;
  readonly departedMs: number;
  readonly actualS: number;
  readonly metricS: number;
  readonly physicalS: number;
  readonly features: readonly number[];
  readonly saidS: number;
  readonly lowS: number;
  readonly highS: number;
  readonly modelVersion: number;
  /** Below 2^53; 0 if unknown. */
  readonly driver: number;
}

export interface DeadLetter {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly cause: string;
  readonly attempts: number;
  readonly failedMs: number;
}

export interface InventoryChanged {
  readonly eventId: number;
  readonly hotelId: string;
  readonly roomTypeId: string;
  readonly days: readonly number[];
  readonly totalInventory: readonly number[];
  readonly totalReserved: readonly number[];
  /** Empty or absent in records of earlier versions. */
  readonly soldAtMost?: readonly number[];
  readonly changedMs: number;
}

export interface AriChanged {
  readonly version: number;
  readonly hotelId: string;
  readonly currency: string;
  readonly days: readonly AriDay[];
  readonly changedMs: number;
}

export interface AriDay {
  readonly roomTypeId: string;
  readonly day: number;
  readonly available: number;
  readonly rates: readonly AriRate[];
}

export interface AriRate {
  readonly ratePlanId: string;
  /** 0: the night cannot be sold at this rate. */
  readonly priceMinor: number;
  readonly stopSell: boolean;
  readonly closedToArrival: boolean;
  readonly closedToDeparture: boolean;
  readonly minStay: number;
  /** 0: no maximum. */
  readonly maxStay: number;
}

export const reservationChangeKind = { created: 1, changed: 2 } as const;
export const reservationStatusNumber = {
  pending_payment: 1,
  paid: 2,
  checked_in: 3,
  completed: 4,
  rejected: 5,
  expired: 6,
  cancelled: 7,
  refunded: 8,
  no_show: 9,
  payment_returned: 10,
} as const;

export interface ReservationChanged {
  readonly eventId: number;
  readonly kind: number;
  readonly reservationId: string;
  readonly userId: string;
  readonly hotelId: string;
  readonly roomTypeId: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly roomCount: number;
  readonly status: number;
  readonly priceMinor: number;
  readonly currency: string;
  readonly paidMinor: number;
  readonly refundDueMinor: number;
  readonly paymentId: string;
  readonly holdExpiresMs: number;
  readonly changedMs: number;
  /** The newest further amount that the guest was asked for; '' if there was none. */
  readonly supplementId: string;
  /** To be paid for it now; 0 once it was paid or has ended. */
  readonly supplementMinor: number;
  readonly supplementExpiresMs: number;
}

export const paymentChange = {
  created: 1,
  started: 2,
  pending: 3,
  succeeded: 4,
  failed: 5,
  retryScheduled: 6,
  capturedLate: 7,
  refunded: 8,
  disputeOpened: 9,
  disputeWon: 10,
  disputeLost: 11,
  settled: 12,
  refundRequested: 13,
  refundFailed: 14,
  disputeAnswered: 15,
  disputeAnswerRefused: 16,
  disputeDeadlineMissed: 17,
} as const;
export const paymentStatusNumber = { NOT_STARTED: 1, EXECUTING: 2, SUCCESS: 3, FAILED: 4 } as const;

export interface PaymentOrderChanged {
  readonly eventId: string;
  readonly kind: number;
  readonly paymentOrderId: string;
  readonly checkoutId: string;
  readonly sequence: number;
  readonly status: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly sellerAccount: string;
  readonly caller: string;
  readonly reason: string;
  readonly pspReference: string;
  readonly subjectId: string;
  readonly occurredMs: number;
  /** Of a capture, what we keep of it; of a refund, what of that goes back to the seller. */
  readonly feeMinor?: number;
}

export interface PaymentRetry {
  readonly eventId: string;
  readonly subject: string;
  readonly subjectId: string;
  readonly attempts: number;
  readonly dueMs: number;
  readonly cause: string;
  readonly occurredMs: number;
}

export interface PaymentDeadLetter {
  readonly eventId: string;
  readonly subject: string;
  readonly subjectId: string;
  readonly attempts: number;
  readonly cause: string;
  readonly occurredMs: number;
}

export const noticeKind = {
  buyerCompleted: 1,
  overdueRaised: 2,
  overdueCleared: 3,
  providerSuspect: 4,
  ledgerRoot: 5,
  payoutOverdue: 6,
  payoutFailed: 7,
} as const;

export interface PaymentNotice {
  readonly eventId: string;
  readonly kind: number;
  readonly paymentOrderId: string;
  readonly caller: string;
  readonly detail: string;
  readonly occurredMs: number;
}
