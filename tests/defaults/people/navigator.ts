import { expect } from 'vitest';
import type { GeocodeAnswer } from '#schemas/http/geocode.js';
import type { NavAnswer } from '#schemas/http/nav.js';
import { decodeLine, lengthM, metresBetween } from '../../main-job/drive.js';
import { destination, origin } from '../../main-job/turning-away.js';
import type { DefaultPlatform } from '../default-platform.js';
import { callerOf, type Person } from '../person.js';

const address = 'triq melita 181';
const modes = ['driving', 'walking', 'bicycling'] as const;

interface OsrmAnswer {
  readonly code: string;
  readonly routes: readonly { readonly distance: number; readonly duration: number }[];
}

/** Finds an address, asks for routes in every mode and as a client of OSRM, and draws the map. */
export async function navigator(platform: DefaultPlatform): Promise<Person> {
  const { ask } = await callerOf(platform, 'daily-navigator', 'driver');
  return {
    name: 'navigator',
    everyMs: 5_000,
    async round(n) {
      const { results } = await ask<GeocodeAnswer>(
        'GET',
        `/v1/geocode?address=${encodeURIComponent(address)}`,
      );
      const { location: start } = results[0]!.geometry;
      const end = n % 2 === 0 ? destination : origin;
      const query = new URLSearchParams({
        origin: `${start.lat},${start.lng}`,
        destination: `${end.lat},${end.lng}`,
        mode: modes[n % modes.length]!,
        departure_time: 'now',
      });
      const route = await ask<NavAnswer>('GET', `/v1/nav?${query}`);
      expect(route.status).toBe('OK');
      const line = decodeLine(route.polyline!.points);
      expect(Math.abs(lengthM(line) / route.distance!.value - 1)).toBeLessThan(0.01);
      expect(metresBetween(line.at(-1)!, end)).toBeLessThan(200);
      expect(route.duration!.value).toBeGreaterThan(0);

      const places = [start, end].map(({ lat, lng }) => `${lng},${lat}`).join(';');
      const osrm = await ask<OsrmAnswer>('GET', `/v1/osrm/route/v1/driving/${places}`);
      expect(osrm.code).toBe('Ok');
      const asCrow = metresBetween(start, end);
      expect(osrm.routes[0]!.distance).toBeGreaterThan(asCrow * 0.9);
      expect(osrm.routes[0]!.distance).toBeLessThan(asCrow * 5);

      const { status, body } = await page('/');
      expect([status, body.includes('<html')]).toEqual([200, true]);
    },
  };

  async function page(path: string): Promise<{ readonly status: number; readonly body: string }> {
    const answer = await fetch(platform.url + path, { headers: { accept: 'text/html' } });
    return { status: answer.status, body: await answer.text() };
  }
}
