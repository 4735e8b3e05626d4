import { setTimeout as delay } from 'node:timers/promises';
import type { Sql, SqlRow } from '#platform/sql/sql.js';
import { hotelLimits } from '../limits.js';
import type { HotelEvent } from './hotel-event.js';

export interface RelayOptions {
  readonly sql: Sql;
  /** Resolves once the events are in the log, in this order; called with one batch at a time. */
  readonly publish: (events: readonly HotelEvent[]) => Promise<void>;
  /** Unique name of this process among the relays. */
  readonly holder: string;
  readonly leaseMs?: number;
  readonly pollMs?: number;
  /** Called with the error of a failed round, which is retried after a pause. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Moves the outbox to the log: at least once, in order. It polls the table instead of being notified, because
 * NOTIFY would serialize the commits of the whole database. Rows are deleted only after they are published;
 * one process at a time holds the lease, and another takes over when it is silent.
 */
export class OutboxRelay {
  readonly #options: RelayOptions;
  readonly #stopping = new AbortController();
  /** By our own clock: until then we hold the lease and need not renew it. */
  #renewAtMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /**
   * Publishes the next batch, if this process holds the lease or gets it. Returns the number of published
   * events.
   */
  async relayOnce(): Promise<number> {
    const { sql, publish } = this.#options;
    if (performance.now() >= this.#renewAtMs && !(await this.#holdLease())) return 0;
    const { rows } = await sql.query(
      'SELECT event_id, kind, key, at, body, traceparent FROM hotel_outbox ORDER BY event_id LIMIT $1',
      [hotelLimits.relayBatch],
    );
    if (rows.length === 0) return 0;
    await publish(rows.map(eventOf));
    await sql.query('DELETE FROM hotel_outbox WHERE event_id = ANY ($1)', [
      rows.map((row) => row['event_id'] as bigint),
    ]);
    return rows.length;
  }

  /** Ends after the current batch and releases the lease. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#renewAtMs = Number.NEGATIVE_INFINITY;
    await this.#options.sql.query(`UPDATE hotel_outbox_lease SET until = '-infinity' WHERE holder = $1`, [
      this.#options.holder,
    ]);
  }

  /**
   * For its whole length from now; it is renewed when half of it is over, because each renewal costs a flush.
   */
  async #holdLease(): Promise<boolean> {
    const { sql, holder, leaseMs = hotelLimits.relayLeaseMs } = this.#options;
    const renewAtMs = performance.now() + leaseMs / 2;
    const { rowCount } = await sql.query(
      `UPDATE hotel_outbox_lease SET holder = $1, until = clock_timestamp() + make_interval(secs => $2)
       WHERE holder = $1 OR until < clock_timestamp()`,
      [holder, leaseMs / 1_000],
    );
    if (rowCount === 1) this.#renewAtMs = renewAtMs;
    return rowCount === 1;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const pollMs = this.#options.pollMs ?? hotelLimits.relayPollMs;
    while (!signal.aborted) {
      const published = await this.relayOnce().catch((error: unknown) => {
        this.#options.onError?.(error);
        return 0;
      });
      if (published === 0) await delay(pollMs, undefined, { signal }).catch(() => {});
    }
  }
}

function eventOf(row: SqlRow): HotelEvent {
  return {
    eventId: row['event_id'] as bigint,
    kind: row['kind'],
    key: row['key'] as string,
    at: row['at'] as Date,
    body: row['body'],
    trace: row['traceparent'] ?? undefined,
  } as HotelEvent;
}
