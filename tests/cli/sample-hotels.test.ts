import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexGeocoder } from '#api/geocode/index-geocoder.js';
import { customsAt } from '#cli/sample-hotels/customs-at.js';
import { hotelSites } from '#cli/sample-hotels/hotel-sites.js';
import { sampleHotels } from '#cli/sample-hotels/sample-hotels.js';
import { avoidMask } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { answerRouteTask } from '#routing-engine/tasks/route-task.js';
import type { LatLng } from '#schemas/units.js';
import { type GeocodedTown, geocodeTown } from '../geocoding/address-town.js';
import { type ServedHotels, serveHotels } from '../hotel/served-hotels.js';
import { drawMap } from '../routing-engine/ascii-map.js';

const isDrivable = (network: RoadNetwork, from: LatLng, to: LatLng): boolean =>
  answerRouteTask(network, {
    metric: freeFlowMetric(network, 'driving'),
    ...{ from: { point: from }, to: { point: to } },
    ...{ avoid: avoidMask([]), alternatives: 0, snapMaxMeters: 100 },
  }).status === 'ok';

let town: GeocodedTown;
let served: ServedHotels;
beforeAll(async () => {
  town = await geocodeTown();
  served = await serveHotels();
}, 120_000);
afterAll(() => served?.close());

describe('the sites of sample hotels', () => {
  test('hotels are at addresses of the map, with numbers if known, each reachable from all others', () => {
    const { network, index } = town;
    const geocoder = indexGeocoder(index, network);
    const houses = [...index.houses()];
    const sites = hotelSites(network, { name: 'Testby', country: index.head.country, geocoder, houses }, 4);
    expect(sites.length).toBeGreaterThan(1);
    expect(new Set(sites.map(({ name }) => name)).size).toBe(sites.length);
    const isHouse = ({ lat, lng }: LatLng): boolean =>
      houses.some((house) => house.lat === lat && house.lng === lng);
    expect(sites.filter(isHouse).length).toBeGreaterThan(1);
    for (const site of sites) {
      const [found] = geocoder.search(site.address, { language: '', limit: 1 });
      expect(
        Math.abs(found!.location.lat - site.lat) + Math.abs(found!.location.lng - site.lng),
      ).toBeLessThan(0.01);
      for (const other of sites) expect(isDrivable(network, site, other)).toBe(true);
      expect(site).toMatchObject({ timeZone: 'Europe/Stockholm', currency: 'SEK' });
    }
  });

  test('hotels are in streets if only roads are known; not in tunnels, nor where no road leads', async () => {
    const drawing = `
    A---B---C---D
    |   |       |
    E---F-------G

    H---I`;
    const map = await drawMap(drawing, {
      stepM: 60,
      ways: { BC: { tunnel: 'yes' }, CD: { highway: 'motorway' } },
    });
    const sites = hotelSites(map.network, { name: 'Nowhere', country: '' }, 12);
    expect(sites.map(({ address }) => address).toSorted()).toEqual(
      ['AB', 'AE', 'BF', 'DG', 'EF', 'FG'].map((street) => `${street}, Nowhere`),
    );
    for (const site of sites) expect(site).toMatchObject({ timeZone: 'Africa/Malabo', currency: 'XAF' });
  });

  test('a map without named streets has no sample hotels', async () => {
    const map = await drawMap('A---B', { ways: { AB: { name: '' } } });
    expect(hotelSites(map.network, { name: 'Nowhere', country: '' }, 12)).toEqual([]);
  });

  test('adds no sample hotels if there are hotels', async () => {
    const { sql } = served.database;
    const map = {
      name: 'Testby',
      network: town.network,
      release: { tilesetId: '', geocodeId: town.indexId },
    };
    const count = async () => (await sql.query('SELECT count(*)::integer AS n FROM hotel')).rows[0]!['n'];
    await sampleHotels(sql, town.objects, map as never);
    const first = await count();
    expect(first).toBeGreaterThan(1);
    await sampleHotels(sql, town.objects, map as never);
    expect(await count()).toBe(first);
  });
});

test.each([
  ['Valletta', 35.899, 14.514, 'MT', 'Europe/Malta', 'EUR'],
  ['Monaco', 43.737, 7.423, 'MC', 'Europe/Monaco', 'EUR'],
  ['Helsinki', 60.17, 24.94, 'FI', 'Europe/Helsinki', 'EUR'],
  ['Gothenburg', 57.7, 11.97, 'SE', 'Europe/Stockholm', 'SEK'],
  ['Vaduz', 47.141, 9.521, 'LI', 'Europe/Vaduz', 'CHF'],
  ['New York', 40.75, -73.98, 'US', 'America/New_York', 'USD'],
  ['Portland', 45.52, -122.68, 'US', 'America/Los_Angeles', 'USD'],
  ['Porto Alegre', -30.03, -51.22, 'BR', 'America/Sao_Paulo', 'BRL'],
  ['Tokyo', 35.68, 139.76, 'JP', 'Asia/Tokyo', 'JPY'],
  ['the Pacific', 40, -140, '', 'UTC', 'EUR'],
])('%s has the time zone and the currency of its country', (_, lat, lng, country, timeZone, currency) => {
  expect(customsAt({ lat, lng })).toEqual({ country, timeZone, currency });
});
