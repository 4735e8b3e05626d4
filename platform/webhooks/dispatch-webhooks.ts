import { Webhook } from 'standardwebhooks';
import type { Sql } from '../sql/sql.js';
import type { Logger } from '../telemetry/logger.js';
import { type ClaimedDelivery, claimDeliveries, dueEndpoints, endAttempt } from './delivery.js';
import { type DeliveryTimes, deliveryTimes, webhookLimits } from './limits.js';
import { postWebhook } from './post-webhook.js';
import type { WebhookTables } from './webhook-tables.js';
import type { TargetRule } from './webhook-target.js';

export interface DispatchDeps {
  readonly tables: WebhookTables;
  readonly sql: Sql;
  readonly rule: TargetRule;
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly logger: Logger;
  /** Default: `deliveryTimes`. */
  readonly times?: DeliveryTimes;
}

/**
 * Sends what is due. A round claims and returns, and deliveries end by themselves, so no endpoint waits for
 * another one's answer.
 */
export class WebhookDispatcher {
  readonly #deps: DispatchDeps;
  readonly #times: DeliveryTimes;
  readonly #stop = new AbortController();
  readonly #lanes = { usual: new Set<Promise<void>>(), slow: new Set<Promise<void>>() };
  /** Called when a delivery has ended: the next one may be due. */
  onEnd: () => void = () => {};

  constructor(deps: DispatchDeps) {
    this.#deps = deps;
    this.#times = deps.times ?? deliveryTimes;
  }

  /** Resolves with whether there is more to claim at once; what ends wakes the next round. */
  async round(): Promise<boolean> {
    const { tables, sql, nowMs } = this.#deps;
    for (const { id, isSlow } of await dueEndpoints(tables, sql, new Date(nowMs()))) {
      const lane = isSlow ? this.#lanes.slow : this.#lanes.usual;
      const free = (isSlow ? webhookLimits.slowLaneMax : webhookLimits.laneMax) - lane.size;
      if (free <= 0) continue;
      for (const claimed of await this.#claim(id, free, new Date(nowMs()))) {
        const delivery = this.#deliver(claimed).finally(() => {
          lane.delete(delivery);
          this.onEnd();
        });
        lane.add(delivery);
      }
    }
    return false;
  }

  /** What is cut off here is delivered again when its lease ends. */
  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all([...this.#lanes.usual, ...this.#lanes.slow]);
  }

  /** One endpoint that cannot be claimed from holds back no other; it is due in the next round. */
  async #claim(endpointId: string, most: number, now: Date): Promise<readonly ClaimedDelivery[]> {
    const { tables, sql, logger } = this.#deps;
    const { leaseMs } = this.#times;
    try {
      return await claimDeliveries(tables, sql, endpointId, most, { now, leaseMs });
    } catch (error) {
      logger.warn('webhooks of an endpoint wait', { endpointId, cause: (error as Error).message });
      return [];
    }
  }

  async #deliver(claimed: ClaimedDelivery): Promise<void> {
    const { tables, sql, rule, nowMs, random, logger } = this.#deps;
    const startedAt = new Date(nowMs());
    const { signal } = this.#stop;
    const { url, body } = claimed;
    const times = this.#times;
    const { timeoutMs } = times;
    const headers = headersOf(claimed, startedAt);
    try {
      const posted = await postWebhook({ url, body, rule, signal, headers, timeoutMs });
      if (signal.aborted) return;
      const attempt = { posted, startedAt, now: new Date(nowMs()), random: random(), times };
      await endAttempt(tables, sql, claimed, attempt);
    } catch (error) {
      const { endpointId, eventId } = claimed;
      logger.warn('a webhook is delivered again, because its outcome could not be recorded', {
        endpointId,
        eventId,
        cause: (error as Error).message,
      });
    }
  }
}

/** As Standard Webhooks describes; with two secrets both sign, and the receiver accepts either. */
function headersOf({ eventId, body, secrets }: ClaimedDelivery, at: Date): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'user-agent': 'meridian-webhooks',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, at, body)).join(' '),
  };
}
