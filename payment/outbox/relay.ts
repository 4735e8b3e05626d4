import { randomUUID } from 'node:crypto';
import type { EventLog } from '#platform/event-log/event-log.js';
import type { Sql } from '#platform/sql/sql.js';
import { traceHeader } from '#platform/telemetry/tracing.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { ReachFaultPoint } from '../faults/fault-points.js';
import { orderLimits } from '../settings/order-limits.js';

export interface RelayDeps {
  readonly sql: Sql;
  readonly log: Pick<EventLog, 'append'>;
  readonly codecs: Pick<
    TopicCodecs,
    'paymentOrderLifecycle' | 'paymentRetry' | 'paymentDeadLetter' | 'paymentNotice'
  >;
  readonly nowMs: () => number;
  readonly reach: ReachFaultPoint;
  /**
   * A relay that died is replaced after this long. If an append takes longer, a second relay may join, and
   * messages are delivered twice.
   */
  readonly leaseMs: number;
}

/**
 * Sends the outbox to the log, oldest first, so that the changes of one order keep their order. One relay
 * works at a time. After a crash, a message that was appended but not marked is appended again with the same
 * event id.
 */
export class OutboxRelay {
  readonly #deps: RelayDeps;
  readonly #holder = randomUUID();
  /** Until then the lease is ours and need not be renewed. */
  #renewAtMs = Number.NEGATIVE_INFINITY;
  readonly #codecs: ReadonlyMap<string, TopicCodec<object>>;

  constructor(deps: RelayDeps) {
    this.#deps = deps;
    const { paymentOrderLifecycle, paymentRetry, paymentDeadLetter, paymentNotice } = deps.codecs;
    this.#codecs = new Map(
      [paymentOrderLifecycle, paymentRetry, paymentDeadLetter, paymentNotice].map((codec) => [
        codec.topic.name,
        codec as TopicCodec<object>,
      ]),
    );
  }

  /**
   * One round; resolves with whether there is more. Rejects when the log is unavailable: nothing is marked
   * then.
   */
  async round(): Promise<boolean> {
    const { sql, log, nowMs, reach } = this.#deps;
    if (!(await this.#holdLease())) return false;
    const { rows } = await sql.query<{
      readonly id: bigint;
      readonly event_id: string;
      readonly topic: string;
      readonly key: string;
      readonly payload: object;
      readonly traceparent: string | null;
    }>(
      'SELECT id, event_id, topic, key, payload, traceparent FROM payment_outbox ' +
        `WHERE sent_at IS NULL ORDER BY id LIMIT ${orderLimits.outboxBatchMax}`,
    );
    if (rows.length === 0) return false;
    for (const topic of new Set(rows.map((row) => row.topic))) {
      const messages = rows.filter((row) => row.topic === topic);
      const codec = this.#codecs.get(topic);
      if (codec === undefined) throw new Error(`The outbox names the topic ${topic}, which is none of ours.`);
      await log.append(
        topic,
        messages.map(({ key, payload, event_id, traceparent }) => ({
          key,
          value: codec.encode(payload),
          headers: { ...(traceparent === null ? {} : { [traceHeader]: traceparent }), ce_id: event_id },
        })),
      );
    }
    await reach('outbox-after-append');
    await sql.query('UPDATE payment_outbox SET sent_at = $2 WHERE id = ANY($1::bigint[])', [
      rows.map(({ id }) => id),
      new Date(nowMs()),
    ]);
    return rows.length === orderLimits.outboxBatchMax;
  }

  /**
   * For its whole length from now; it is renewed when half of it is over, because each renewal is a commit.
   */
  async #holdLease(): Promise<boolean> {
    const now = this.#deps.nowMs();
    if (now < this.#renewAtMs) return true;
    this.#renewAtMs = Number.NEGATIVE_INFINITY;
    const { rowCount } = await this.#deps.sql.query(
      `INSERT INTO payment_leases AS l (name, holder, until) VALUES ('outbox', $1, $2)
       ON CONFLICT (name) DO UPDATE SET holder = $1, until = $2 WHERE l.holder = $1 OR l.until < $3`,
      [this.#holder, new Date(now + this.#deps.leaseMs), new Date(now)],
    );
    if (rowCount === 1) this.#renewAtMs = now + this.#deps.leaseMs / 2;
    return rowCount === 1;
  }

  /** Lets another relay begin at once. */
  async release(): Promise<void> {
    this.#renewAtMs = Number.NEGATIVE_INFINITY;
    await this.#deps.sql.query(`DELETE FROM payment_leases WHERE name = 'outbox' AND holder = $1`, [
      this.#holder,
    ]);
  }
}
