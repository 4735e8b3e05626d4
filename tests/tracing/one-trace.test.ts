import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NavAnswer } from '#schemas/http/nav.js';
import type { LatLng } from '#schemas/units.js';
import { eventually } from '../eventually.js';
import { decodeLine } from '../main-job/drive.js';
import { openNavSocket } from '../main-job/nav-socket.js';
import { type RunningPlatform, startPlatform } from '../main-job/running-platform.js';
import { destination, origin, turningAway } from '../main-job/turning-away.js';
import { startGuests } from '../programs/booking-load.js';
import { unlimited } from '../programs/drivers-of.js';
import { postLocations } from '../programs/post-locations.js';
import { type CollectedSpan, type Collector, openCollector } from './otlp-collector.js';

describe('traces of the whole platform, as a collector receives them', () => {
  let data: string;
  let collector: Collector;
  let platform: RunningPlatform;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-traces-'));
    collector = await openCollector();
    platform = await startPlatform(data, ['--drivers', '0'], {
      ...unlimited,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=collector-secret',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      TRACES_PER_SECOND: '100000',
    });
  });
  afterAll(async () => {
    await platform?.stop();
    await collector?.close();
    await rm(data, { recursive: true, force: true });
  });

  const nav = async (from: LatLng, to: LatLng): Promise<NavAnswer> => {
    const places = `origin=${from.lat},${from.lng}&destination=${to.lat},${to.lng}`;
    return (await (await fetch(`${platform.url}/v1/nav?${places}`)).json()) as NavAnswer;
  };
  const sendDrive = async (token: string, places: readonly LatLng[]): Promise<void> => {
    const endMs = Date.now();
    const locs = places.map(({ lat, lng }, i) => [lat, lng, endMs - (places.length - 1 - i) * 1_000]);
    expect((await postLocations(platform.url, token, locs)).status).toBe(202);
  };
  /** The first span that `isLast` accepts, with everything above it in its trace. */
  const traceTo = (isLast: (chain: readonly CollectedSpan[]) => boolean): Promise<readonly CollectedSpan[]> =>
    eventually(() => {
      const chain = collector.spans.map((span) => collector.ancestry(span)).find(isLast);
      if (chain === undefined) throw new Error('there is no such trace');
      return chain;
    });
  const namesOf = (chain: readonly CollectedSpan[]): string[] => chain.map(({ name }) => name);

  it('one trace leads from POST /v1/locations through matching and traffic to a pushed reroute', async () => {
    const watcher = await openNavSocket(platform.url, await platform.token('watcher', 'driver'));
    watcher.send({ type: 'start', origin, destination });
    const { route } = await watcher.next('started');
    const drive = await turningAway(nav, decodeLine(route.polyline));
    let isRerouted = false;
    const reroute = watcher.next('reroute', 120_000).finally(() => {
      isRerouted = true;
    });
    for (let i = 0; i < 12 && !isRerouted; i++) {
      const token = await platform.token(`turner-${i}`, 'driver');
      const socket = await openNavSocket(platform.url, token);
      socket.send({ type: 'start', origin, destination });
      await socket.next('started');
      await sendDrive(token, drive);
      socket.close();
    }
    expect((await reroute).evidence).toMatch(/turned away/);
    watcher.close();

    const chain = await traceTo(
      (each) => each.at(-1)!.name === 'push reroutes' && each[0]!.name === 'POST /v1/locations',
    );
    expect(chain[0]).toMatchObject({ parentId: '', kind: 2, service: 'meridian-up' });
    expect(namesOf(chain)).toEqual([
      'POST /v1/locations',
      'process location.batch.recorded.v1',
      'process traffic.edge.observed.v1',
      'process traffic.incident.changed.v1',
      'publish metric',
      'process road.metric.customized.v1',
      'search reroute',
      'process nav.route.changed.v1',
      'push reroutes',
    ]);
    expect(new Set(chain.map(({ traceId }) => traceId)).size).toBe(1);
    expect(chain.map(({ attributes }) => attributes['messaging.consumer.group.name'])).toEqual(
      expect.arrayContaining(['matching', 'traffic', 'customization', 'metric-follower']),
    );
  });

  it('one trace leads from a reservation to its payment, and SQL is in it', async () => {
    const guests = startGuests(platform.url, data, [await platform.token('guest', 'customer')]);
    try {
      await guests.more(1);
    } finally {
      await guests.stop();
    }
    const chain = await traceTo(
      (each) => each.at(-1)!.name === 'call payment provider' && each[0]!.name === 'POST /v1/reservations',
    );
    expect(namesOf(chain)).toEqual(
      expect.arrayContaining(['POST /v1/reservations', 'process reservation.lifecycle.v1']),
    );
    const [{ traceId }] = chain as [CollectedSpan];
    // What the order's outbox announces is in the same trace.
    const ledger = await traceTo(
      (each) =>
        each[0]!.traceId === traceId &&
        each.at(-1)!.name === 'process payment.order.lifecycle.v1' &&
        each.at(-1)!.attributes['messaging.consumer.group.name'] === 'payment-ledger',
    );
    expect(ledger[0]!.name).toBe('POST /v1/reservations');
    const statements = collector.spans.filter(
      (span) => span.traceId === traceId && span.attributes['db.system.name'] === 'postgresql',
    );
    expect(statements.map(({ attributes }) => attributes['db.query.text'])).toContainEqual(
      expect.stringContaining('reserve_'),
    );
    // The webhook of the provider is a trace of its own, found by the same payment order.
    const order = chain.at(-1)!.attributes['meridian.payment_order.id'];
    const webhook = await traceTo(
      ([root]) => root!.traceId !== traceId && root!.attributes['meridian.payment_order.id'] === order,
    );
    expect(webhook[0]!.name).toMatch(/^POST .*webhook/);
  });

  it('a caller’s trace is continued, and the answer names the span', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const status = (flags: string) =>
      fetch(`${platform.url}/v1/status`, {
        headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-${flags}` },
      });
    const answer = await status('01');
    const [, , spanId] = answer.headers.get('traceparent')!.split('-');
    const [span] = await eventually(() => {
      const found = collector.spans.filter((each) => each.traceId === traceId);
      expect(found).not.toEqual([]);
      return found;
    });
    expect(span).toMatchObject({ name: 'GET /v1/status', id: spanId, parentId: '00f067aa0ba902b7' });
    expect(span!.attributes).toMatchObject({ 'http.route': '/v1/status' });
    // Not sampled by the caller, so not here.
    expect((await status('00')).headers.get('traceparent')).toContain('00f067aa0ba902b7-00');
  });

  it('spans hold no coordinates, names of users, tokens or card numbers; the collector’s key is sent', () => {
    expect(collector.headers[0]).toMatchObject({ 'x-api-key': 'collector-secret' });
    const everything = Buffer.concat(collector.bodies).toString('latin1');
    for (const secret of ['35.9', '14.5', 'watcher', 'turner', 'eyJ', '4242', 'collector-secret'])
      expect(everything).not.toContain(secret);
    expect(platform.output()).not.toContain('collector-secret');
  });

  it('probes and scrapes have no spans, and the queue of spans is in /metrics', async () => {
    const text = await (await fetch(`${platform.internalUrl}/metrics`)).text();
    expect(text).toMatch(/trace_spans_total\{outcome="exported"\} [1-9]/);
    expect(text).toContain('trace_spans_total{outcome="dropped"} 0');
    expect(collector.spans.filter(({ name }) => /readyz|healthz|metrics/.test(name))).toEqual([]);
  });
});
