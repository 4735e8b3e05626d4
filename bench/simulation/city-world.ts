import type { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import type { PaymentService } from '#payment/payment-service.js';
import type { Sql } from '#platform/sql/sql.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { CrashableSql } from './crashable-sql.js';
import type { FaultRates } from './fault-rates.js';
import type { PendingWork } from './pending-work.js';
import type { SimulatedLog } from './simulated-log.js';
import type { SimulatedProvider } from './simulated-provider.js';
import type { VirtualClock } from './virtual-clock.js';

/**
 * One group on one topic: the step is the product's own, its caller is not. Resolves with the number of
 * processed records.
 */
export interface ConsumerGroup {
  readonly name: string;
  readonly topic: string;
  readonly step: (values: readonly Uint8Array[]) => Promise<number>;
}

/** One process of the product, with everything that is lost when it crashes. */
export interface CityProcess {
  readonly sql: CrashableSql;
  readonly service: PaymentService;
  readonly reservations: PostgresReservations;
  readonly groups: readonly ConsumerGroup[];
  /** The background loops, each with the kind of work that it polls for. */
  readonly jobs: ReadonlyArray<readonly [keyof Omit<PendingWork, 'nextMs'>, () => Promise<unknown>]>;
  alert(): Promise<unknown>;
}

/** The state shared by processes, consumer groups and customers. */
export interface CityWorld {
  /** The database itself, which survives a crash of a process. */
  readonly sql: Sql;
  readonly codecs: TopicCodecs;
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly faults: FaultRates;
  readonly log: SimulatedLog;
  readonly provider: SimulatedProvider;
  readonly counts: Record<'kills' | 'reserved' | 'refused' | 'deadLetters', number>;
  /** Payment orders that were acknowledged. */
  readonly accepted: Set<string>;
  /** The running process. */
  process: CityProcess;
  /** The database is unavailable until then. */
  unavailableUntilMs: number;
  /** There may be work: the background loops poll soon. */
  scheduleJobs(): void;
}
