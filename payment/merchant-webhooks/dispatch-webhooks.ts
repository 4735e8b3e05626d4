import { Webhook } from 'standardwebhooks';
import type { Sql } from '#platform/sql/sql.js';
import type { Logger } from '#platform/telemetry/logger.js';
import { type ClaimedDelivery, claimDeliveries, dueEndpoints, endAttempt } from './delivery.js';
import { merchantWebhookLimits } from './limits.js';
import { postWebhook } from './post-webhook.js';
import type { TargetRule } from './webhook-target.js';

export interface DispatchDeps {
  readonly sql: Sql;
  readonly rule: TargetRule;
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly logger: Logger;
}

/**
 * Sends what is due. A round claims and returns, and deliveries end by themselves, so no endpoint waits for
 * another one's answer.
 */
export class WebhookDispatcher {
  readonly #deps: DispatchDeps;
  readonly #stop = new AbortController();
  readonly #lanes = { usual: new Set<Promise<void>>(), slow: new Set<Promise<void>>() };
  /** Called when a delivery has ended: the next one may be due. */
  onEnd: () => void = () => {};

  constructor(deps: DispatchDeps) {
    this.#deps = deps;
  }

  /** Resolves with whether there is more to claim at once; what ends wakes the next round. */
  async round(): Promise<boolean> {
    const { sql, nowMs } = this.#deps;
    for (const { id, isSlow } of await dueEndpoints(sql, new Date(nowMs()))) {
      const lane = isSlow ? this.#lanes.slow : this.#lanes.usual;
      const free = (isSlow ? merchantWebhookLimits.slowLaneMax : merchantWebhookLimits.laneMax) - lane.size;
      if (free <= 0) continue;
      for (const claimed of await claimDeliveries(sql, id, free, new Date(nowMs()))) {
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

  async #deliver(claimed: ClaimedDelivery): Promise<void> {
    const { sql, rule, nowMs, random, logger } = this.#deps;
    const startedAt = new Date(nowMs());
    const { signal } = this.#stop;
    const { url, body } = claimed;
    try {
      const posted = await postWebhook({ url, body, rule, signal, headers: headersOf(claimed, startedAt) });
      if (signal.aborted) return;
      await endAttempt(sql, claimed, { posted, startedAt, now: new Date(nowMs()), random: random() });
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
