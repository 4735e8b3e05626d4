import { expect } from 'vitest';
import type { HotelEvent } from '#hotel/outbox/hotel-event.js';
import { OutboxRelay } from '#hotel/outbox/outbox-relay.js';
import { channelTables } from '#hotel/selling/channel-webhooks.js';
import { ChannelPublisher } from '#hotel/selling/publish-for-channels.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { WebhookDispatcher } from '#platform/webhooks/dispatch-webhooks.js';
import { topics } from '#schemas/topics.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { type Answer, serveHotels } from './served-hotels.js';

export interface Delta {
  readonly hotelID: string;
  readonly sequence: number;
  readonly version: string;
  readonly days: ReadonlyArray<{
    readonly roomTypeID: string;
    readonly date: string;
    readonly rates: ReadonlyArray<{ readonly price: string }>;
  }>;
}

export const deltas = ({ received }: WebhookReceiver): Delta[] =>
  received.map(({ data }) => data as unknown as Delta);

/** The days of the hotels of this fixture. */
export const range = { from: '2027-07-01', to: '2027-07-10' };

/** Served hotels with their publisher of deltas, and servers of channels; nothing runs by itself. */
export async function serveChannels() {
  const served = await serveHotels();
  const { sql } = served.database;
  /** `ms` is added to the clock of deliveries; while `isBroken`, the log is down. */
  const world = { ms: 0, isBroken: false };
  const receivers: WebhookReceiver[] = [];
  const nowMs = () => served.database.clock.now.getTime() + world.ms;
  const topic = topics.find(({ name }) => name === 'hotel.ari.changed.v1')!;
  const publisher = new ChannelPublisher({
    sql,
    codecs: { hotelAriChanged: { topic, encode: () => new Uint8Array(), decode: () => undefined } } as never,
    log: {
      append: async () => {
        if (world.isBroken) throw new Error('the log is down');
        return [];
      },
    } as never,
    now: () => new Date(nowMs()),
  });
  const relay = new OutboxRelay({
    ...{ sql, holder: 'test' },
    publish: publisher.after(async (_: readonly HotelEvent[]) => {}),
  });
  const staff = (
    method: string,
    path: string,
    body?: object,
    token = served.tokens['siv']!,
  ): Promise<Answer> =>
    served.call(method, `/v1/staff/hotels/${path}`, {
      ...{ token, listener: 'internal' as const },
      ...(body === undefined ? {} : { body: { reason: 'season', ...body } }),
    });
  const publish = async (): Promise<void> => {
    while ((await relay.relayOnce()) > 0);
    publisher.wake();
    await publisher.close();
  };
  return {
    served,
    sql,
    world,
    nowMs,
    staff,
    publish,
    newDispatcher: () =>
      new WebhookDispatcher({
        ...{ tables: channelTables, sql, nowMs, random: () => 0, logger: silentLogger, rule: 'any' },
      }),
    async hotelWithFeed(): Promise<string> {
      const hotelId = await served.database.hotel({ days: 10 });
      expect((await staff('PUT', `${hotelId}/channel-feed`, { enabled: true })).status).toBe(204);
      return hotelId;
    },
    async channel(hotelId: string) {
      const receiver = await WebhookReceiver.open();
      receivers.push(receiver);
      const { status, json } = await staff('POST', `${hotelId}/channel-endpoints`, { url: receiver.url });
      expect(status).toBe(201);
      receiver.secret = json.secret;
      const id = json.endpoint.endpointID as string;
      const shown = async () =>
        (await staff('GET', `${hotelId}/channel-endpoints`)).json.endpoints.find(
          (one: { endpointID: string }) => one.endpointID === id,
        );
      return { receiver, path: `${hotelId}/channel-endpoints/${id}`, shown, id };
    },
    /** Sets the price of all days, and publishes it. */
    async price(hotelId: string, amount: string): Promise<void> {
      const updates = [{ roomTypeIDs: ['double'], ...range, price: amount }];
      expect((await staff('PUT', `${hotelId}/ari`, { updates })).status).toBe(204);
      await publish();
    },
    async close(): Promise<void> {
      await publisher.close();
      await relay.close();
      await Promise.all(receivers.map((one) => one.close()));
      await served.close();
    },
  };
}

export type ServedChannels = Awaited<ReturnType<typeof serveChannels>>;
