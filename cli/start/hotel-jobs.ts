import { blockLimits } from '#hotel/blocks/limits.js';
import { releaseBlocks } from '#hotel/blocks/release-blocks.js';
import { fillInventory } from '#hotel/inventory/fill-inventory.js';
import { OutboxRelay } from '#hotel/outbox/outbox-relay.js';
import { publishToLog } from '#hotel/outbox/publish-to-log.js';
import { countReceipts } from '#hotel/receipts/receipt-jobs.js';
import { type ReceiptDeps, sendReceipts } from '#hotel/receipts/send-receipts.js';
import type { Stays } from '#hotel/reservations/stays.js';
import { channelTables } from '#hotel/selling/channel-webhooks.js';
import { ChannelPublisher } from '#hotel/selling/publish-for-channels.js';
import { home } from '#hotel/sharding/hotel-servers.js';
import { markNoShows } from '#hotel/staff/mark-no-shows.js';
import type { Waitlist } from '#hotel/waitlist/waitlist.js';
import type { Sql } from '#platform/sql/sql.js';
import { forgetOldEvents } from '#platform/webhooks/attempt-log.js';
import { WebhookDispatcher } from '#platform/webhooks/dispatch-webhooks.js';
import { deliveryTimes } from '#platform/webhooks/limits.js';
import type { TargetRule } from '#platform/webhooks/webhook-target.js';
import type { Context, LogAndCodecs } from '../context.js';
import { instanceId } from '../open/open-roads.js';

const deltasEveryMs = 1_000;
const releaseEveryMs = 1_000;
const offerEveryMs = 2_000;
const noShowsEveryMs = 30_000;
/** The daily job can run at any time, so a program that starts late or runs for months misses no day. */
const fillEveryMs = 3_600_000;

const webhooksEveryMs = 500;
const forgetEveryMs = 3_600_000;
const receiptsEveryMs = 1_000;
const countReceiptsEveryMs = 30_000;

interface HotelServer {
  readonly name: string;
  readonly sql: Sql;
  readonly stays: Stays;
  readonly waitlist: Waitlist;
  /** Where webhooks to channels may lead. */
  readonly receivers: TargetRule;
  readonly receipts: Pick<ReceiptDeps, 'guests' | 'hotels' | 'mailer' | 'reservations'>;
}

/** What runs beside the requests, for each server of hotels. */
export function startHotelJobs(
  context: Context,
  events: LogAndCodecs,
  { name, sql, stays, waitlist, receivers, receipts }: HotelServer,
): void {
  const { logger, metrics } = context;
  // Events of each server have their own numbers.
  const source = name === home ? 'hotel' : `hotel-${name}`;
  const channels = new ChannelPublisher({
    ...{ sql, ...events },
    onError: (hotelId, error) => logger.warn('deltas for channels are tried again', { hotelId, error }),
  });
  const relay = new OutboxRelay({
    sql,
    publish: channels.after(publishToLog(events.log, events.codecs, source)),
    holder: instanceId,
    onError: (error) => logger.warn('hotel events wait for the event log', { server: name, error }),
  });
  relay.start();
  context.onStop(`hotel outbox of ${name}`, () => relay.close());
  repeat(context, 'the deltas for channels', deltasEveryMs, async () => channels.wake());
  context.onStop(`deltas for channels of ${name}`, () => channels.close());
  repeat(context, 'the release of group blocks', releaseEveryMs, async () => {
    const release = () => sql.transaction((tx) => releaseBlocks(tx, new Date()));
    while ((await release()) === blockLimits.releaseBatch) if (context.signal.aborted) return;
  });
  repeat(context, 'the no-shows', noShowsEveryMs, async () => {
    const onError = (reservationId: string, error: unknown) =>
      logger.warn('a no-show was not marked and is tried again', { reservationId, error });
    await markNoShows({ sql, stays, now: () => new Date(), onError });
  });
  repeat(context, 'the offer of freed rooms', offerEveryMs, async () => {
    await waitlist.offerFreedRooms();
  });
  const dispatcher = new WebhookDispatcher({
    ...{ tables: channelTables, sql, logger },
    rule: receivers,
    nowMs: Date.now,
    random: Math.random,
  });
  // What has ended makes the next one due, so it does not wait for the timer.
  const rounds = repeat(context, 'the webhooks to channels', webhooksEveryMs, async () => {
    await dispatcher.round();
  });
  dispatcher.onEnd = rounds;
  context.onStop(`webhooks to channels of ${name}`, () => dispatcher.close());
  repeat(context, 'the end of old webhooks', forgetEveryMs, async () => {
    const { keptMs } = deliveryTimes;
    while (await forgetOldEvents(channelTables, sql, Date.now(), keptMs)) if (context.signal.aborted) return;
  });
  const sending: ReceiptDeps = {
    ...{ ...receipts, sql },
    now: () => new Date(),
    onTrouble: (reservationId, trouble) =>
      logger.warn('a receipt was not mailed', { reservationId, trouble }),
  };
  repeat(context, 'the mail of receipts', receiptsEveryMs, async () => {
    while (await sendReceipts(sending)) if (context.signal.aborted) return;
  });
  repeat(context, 'the count of receipts', countReceiptsEveryMs, async () => {
    for (const [state, many] of Object.entries(await countReceipts(sql)))
      metrics
        .gauge('hotel_receipt_mails', 'Receipts that wait for the mail server, or have failed.', {
          server: name,
          state,
        })
        .set(many);
  });
  repeat(context, 'the daily job', fillEveryMs, async () => {
    const rows = await fillInventory(sql, { signal: context.signal });
    if (rows > 0) logger.info('added days of inventory', { server: name, rows });
  });
}

/**
 * Runs `work` periodically, never twice at once, until the program stops. A failure is logged; the next run
 * follows. The answer runs it now.
 */
export function repeat(
  context: Context,
  name: string,
  everyMs: number,
  work: () => Promise<void>,
): () => void {
  let running: Promise<void> | undefined;
  const turn = () => {
    running ??= work()
      .catch((error: unknown) => context.logger.warn(`${name} failed and is retried`, { error }))
      .finally(() => {
        running = undefined;
      });
  };
  turn();
  const timer = setInterval(turn, everyMs).unref();
  context.onStop(name, async () => {
    clearInterval(timer);
    await running;
  });
  return turn;
}
