import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Incident } from '#schemas/http/incidents.js';
import type { LocationHistory } from '#schemas/http/locations.js';
import type { StatusAnswer } from '#schemas/http/map.js';
import type { NavAnswer } from '#schemas/http/nav.js';
import type { ServerFrame } from '#schemas/nav-stream.js';
import type { LatLng } from '#schemas/units.js';
import { eventually } from '../eventually.js';
import { decodeLine, lengthM, placesAlong } from './drive.js';
import { openNavSocket } from './nav-socket.js';
import type { RunningPlatform } from './running-platform.js';
import { destination, origin, turningAway } from './turning-away.js';

const patience = { timeout: 60_000, interval: 50 };

/**
 * The main job, seen only from outside: drivers send what phones send, and the platform infers the rest. The
 * same scenario runs on embedded adapters and on the real servers.
 */
export function mainJob(name: string, start: () => Promise<RunningPlatform>): void {
  describe(`the main job on ${name}`, () => {
    let platform: RunningPlatform;
    const latencies: Record<string, number> = {};

    beforeAll(async () => {
      platform = await start();
    });
    afterAll(async () => {
      await platform?.stop();
      console.log(`${name}: ${JSON.stringify(latencies)}`);
    });

    const get = async <Body>(path: string, token?: string): Promise<{ status: number; body: Body }> => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const answer = await fetch(platform.url + path, { headers });
      return { status: answer.status, body: (await answer.json()) as Body };
    };
    /** Sends again after the stated time what a busy platform does not take, as a client must. */
    const post = async (path: string, body: unknown, token: string, retries = 10): Promise<Response> => {
      const answer = await fetch(platform.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const afterS = answer.headers.get('retry-after');
      if (answer.status !== 503 || afterS === null || retries === 0) return answer;
      await sleep(1_000 * Number(afterS));
      return post(path, body, token, retries - 1);
    };
    const nav = async (from: LatLng, to: LatLng): Promise<NavAnswer> => {
      const query = new URLSearchParams({
        origin: `${from.lat},${from.lng}`,
        destination: `${to.lat},${to.lng}`,
      });
      const { status, body } = await get<NavAnswer>(`/v1/nav?${query}`);
      expect(status).toBe(200);
      return body;
    };
    /** Points one second apart that end now, as the phone of a driver who has just been there sends them. */
    const sendDrive = async (token: string, places: readonly LatLng[], endMs = Date.now()): Promise<void> => {
      const locs = places.map(({ lat, lng }, i) => [lat, lng, endMs - (places.length - 1 - i) * 1_000]);
      const answer = await post('/v1/locations', { locs }, token);
      expect(answer.status, await answer.clone().text()).toBe(202);
    };

    it('M-001, M-009: acknowledged locations are read back by their owner, in order', async () => {
      const token = await platform.token('reader', 'driver');
      const now = Date.now();
      const locs = [
        [35.91, 14.5, now - 1_000],
        [35.9101234, 14.5009876, now, 4.5, 13.89, 271.3, 'driving'],
      ];
      expect((await post('/v1/locations', { locs }, token)).status).toBe(202);
      const path = `/v1/users/reader/locations?from=${now - 5_000}&to=${now + 1}`;
      await vi.waitFor(async () => {
        const { body } = await get<LocationHistory>(path, token);
        expect(body.locations).toEqual([
          { lat: 35.91, lng: 14.5, timestamp: now - 1_000 },
          {
            ...{ lat: 35.9101234, lng: 14.5009876, timestamp: now },
            ...{ accuracy: 4.5, speed: 13.89, heading: 271.3, mode: 'driving' },
          },
        ]);
      }, patience);
      expect((await get(path, await platform.token('somebody-else', 'driver'))).status).toBe(404);
    });

    it('M-020, M-023: a route has every field of the specification and the correct ends', async () => {
      const answer = await nav(origin, destination);
      expect(answer).toMatchObject({ status: 'OK', travel_mode: 'DRIVING' });
      const line = decodeLine(answer.polyline!.points);
      expect(Math.abs(lengthM(line) - answer.distance!.value) / answer.distance!.value).toBeLessThan(0.01);
      expect(answer.distance!.value).toBeGreaterThan(1_500);
      expect(line[0]!.lat).toBeCloseTo(answer.start_location!.lat, 4);
      expect(line.at(-1)!.lng).toBeCloseTo(answer.end_location!.lng, 4);
    });

    it('M-062, M-063: a road that an operator closes reroutes only the affected driver', async () => {
      const [driver, other] = await Promise.all([
        openNavSocket(platform.url, await platform.token('op-driver', 'driver')),
        openNavSocket(platform.url, await platform.token('op-other', 'driver')),
      ]);
      driver.send({ type: 'start', origin, destination });
      // The other driver has a short route elsewhere.
      other.send({ type: 'start', origin, destination: { lat: 35.9135, lng: 14.5 } });
      const { route, navigation_id } = await driver.next('started');
      await other.next('started');
      const line = decodeLine(route.polyline);
      const [middle] = placesAlong(line, lengthM(line) * 0.6, lengthM(line) * 0.6, 1);
      const operator = await platform.token('op', 'operator');
      const postedMs = Date.now();
      const closed = await post('/v1/incidents', { kind: 'closed', at: middle, expires_in_s: 600 }, operator);
      expect(closed.status, await closed.clone().text()).toBe(201);
      const incident = (await closed.json()) as Incident;
      const reroute = await driver.next('reroute');
      latencies['operatorCloseToFrameMs'] = Date.now() - postedMs;
      expect(reroute.navigation_id).toBe(navigation_id);
      expect(reroute.saves_s).toBeNull();
      expect(reroute.route.edge_ids.filter((id) => incident.edge_ids.includes(id))).toEqual([]);
      expect(reroute.reason).not.toBe('');

      // M-024: the new durations are in every response, and after the incident they are as before.
      const during = await nav(origin, destination);
      expect(during.metric_version).toBeGreaterThanOrEqual(reroute.route.metric_version);
      const ended = await fetch(`${platform.url}/v1/incidents/${incident.incident_id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${operator}` },
      });
      expect(ended.status).toBe(204);
      await vi.waitFor(async () => {
        const after = await nav(origin, destination);
        expect(after.duration!.value).toBeLessThan(during.duration!.value);
      }, patience);
      expect(other.untaken()).toEqual([]);
      driver.close();
      other.close();
    });

    it('M-062: a driver without a route receives the reason, and a route when a road opens', async () => {
      const driver = await openNavSocket(platform.url, await platform.token('cut-off', 'driver'));
      const operator = await platform.token('op', 'operator');
      driver.send({ type: 'start', origin, destination });
      let { route } = await driver.next('started');
      const closed: Incident[] = [];
      const closedNow = () => new Set(closed.flatMap(({ edge_ids }) => edge_ids));
      /** The road before the last one: a route may end on a closed road. */
      const closeAhead = async (): Promise<void> => {
        const line = decodeLine(route.polyline);
        const [at] = placesAlong(line, Math.max(0, lengthM(line) - 250), lengthM(line), 1);
        const answer = await post('/v1/incidents', { kind: 'closed', at, expires_in_s: 3_600 }, operator);
        expect(answer.status, await answer.clone().text()).toBe(201);
        closed.push((await answer.json()) as Incident);
      };
      for (let closures = 0; ; closures++) {
        expect(closures, 'closures without an end').toBeLessThan(60);
        await closeAhead();
        const next = await vi.waitFor(() => {
          const at = driver.untaken().findIndex(({ type }) => type === 'reroute' || type === 'unreachable');
          expect(at).toBeGreaterThanOrEqual(0);
          return driver.untaken()[at]!;
        }, patience);
        if (next.type === 'unreachable') break;
        ({ route } = await driver.next('reroute'));
        expect(route.edge_ids.slice(1, -1).filter((id) => closedNow().has(id))).toEqual([]);
      }
      const told = await driver.next('unreachable');
      expect(told.reason).toBe('Your destination cannot be reached right now: all roads to it are closed.');
      expect((await nav(origin, destination)).status).toBe('ZERO_RESULTS');
      // A driver who reconnects receives the same, and no closed road.
      const back = await openNavSocket(platform.url, await platform.token('cut-off', 'driver'));
      back.send({ type: 'resume', navigation_id: told.navigation_id, last_id: 0 });
      expect(await back.next('unreachable')).toEqual(told);
      back.send({ type: 'ping' });
      await back.next('pong');
      const replayed = back
        .untaken()
        .flatMap((frame) => ('route' in frame ? frame.route.edge_ids.slice(1, -1) : []));
      expect(replayed.filter((id) => closedNow().has(id))).toEqual([]);
      for (const { incident_id } of closed.splice(0).reverse()) {
        const ended = await fetch(`${platform.url}/v1/incidents/${incident_id}`, {
          method: 'DELETE',
          headers: { authorization: `Bearer ${operator}` },
        });
        expect(ended.status).toBe(204);
      }
      const again = await driver.next('reroute');
      expect(again.id).toBeGreaterThan(told.id);
      expect(again.reason).toBe('Your destination can be reached again');
      driver.send({ type: 'end', navigation_id: told.navigation_id });
      await driver.next('ended');
      driver.close();
      back.close();
    });

    it('M-064: deviating drivers close a road by themselves; the next gets a better route', async () => {
      const watcher = await openNavSocket(platform.url, await platform.token('watcher', 'driver'));
      watcher.send({ type: 'start', origin, destination });
      const { route } = await watcher.next('started');
      const line = decodeLine(route.polyline);
      const drive = await turningAway(nav, line);
      let tippedMs = 0;
      for (let i = 0; i < 8; i++) {
        const token = await platform.token(`turner-${i}`, 'driver');
        const socket = await openNavSocket(platform.url, token);
        socket.send({ type: 'start', origin, destination });
        await socket.next('started');
        tippedMs = Date.now();
        await sendDrive(token, drive);
        socket.close();
        if (await hasReroute(1_500)) break;
      }
      const reroute = await nextDetected();
      latencies['detectedCloseToFrameMs'] = reroute.caused_at > 0 ? Date.now() - tippedMs : Number.NaN;
      // The gateway reads incidents from another topic than routes.
      const detected = await eventually(async () => {
        const { body } = await get<{ incidents: Incident[] }>('/v1/incidents');
        const some = body.incidents.filter(({ source }) => source === 'detected');
        expect(some).not.toEqual([]);
        return some;
      });
      const closedEdges = new Set(detected.flatMap(({ edge_ids }) => edge_ids));
      expect(route.edge_ids.some((id) => closedEdges.has(id))).toBe(true);
      expect(reroute.route.edge_ids.some((id) => closedEdges.has(id))).toBe(false);
      watcher.close();

      // Roads that an operator opened in the test before may lead to a better route, too.
      function isDetected(frame: ServerFrame): boolean {
        return frame.type === 'reroute' && /turned away/.test(frame.evidence);
      }
      async function hasReroute(withinMs: number): Promise<boolean> {
        const deadline = Date.now() + withinMs;
        while (Date.now() < deadline) {
          if (watcher.untaken().some(isDetected)) return true;
          await sleep(20);
        }
        return false;
      }
      async function nextDetected() {
        for (;;) {
          const frame = await watcher.next('reroute');
          if (isDetected(frame)) return frame;
        }
      }
    });

    it('prints its results', async () => {
      const { body } = await get<StatusAnswer>('/v1/status');
      expect(body.metric_version).toBeGreaterThan(0);
      expect(body.reroutes).toBeGreaterThanOrEqual(2);
      latencies['causeToPushMedianMs'] = body.cause_to_push_ms ?? Number.NaN;
    });
  });
}
