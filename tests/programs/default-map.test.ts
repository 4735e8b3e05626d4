import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tileAt } from '#map-tiles/format/web-mercator.js';
import type { GeocodeAnswer } from '#schemas/http/geocode.js';
import type { HotelPlaces } from '#schemas/http/hotel-places.js';
import type { HotelView } from '#schemas/http/hotels.js';
import type { StatusAnswer } from '#schemas/http/map.js';
import type { NavAnswer } from '#schemas/http/nav.js';
import { metresBetween } from '../main-job/drive.js';
import { type RunningPlatform, startPlatform } from '../main-job/running-platform.js';
import { extractBeside } from '../tile-builder/real-maps.js';

const extract = (area: string): readonly string[] | undefined => {
  const source = extractBeside(area);
  return source?.kind === 'osm-pbf' ? ['--osm', source.file] : undefined;
};

const valletta = { lat: 35.8989, lng: 14.5146 };

const maps = [
  { name: 'the default map', args: [], currency: 'EUR', timeZone: 'Europe/Malta' },
  { name: 'Liechtenstein', args: extract('liechtenstein'), currency: 'CHF', timeZone: 'Europe/Vaduz' },
  { name: 'Helsinki', args: extract('helsinki'), currency: 'EUR', timeZone: 'Europe/Helsinki' },
];

for (const { name, args, currency, timeZone } of maps)
  describe.skipIf(args === undefined)(
    args === undefined ? `${name}: skipped, its extract is not beside the checkout` : name,
    () => {
      let data: string;
      let platform: RunningPlatform;
      let middle: StatusAnswer['tileset']['middle'];

      const get = async <Body>(path: string, query: Record<string, string> = {}): Promise<Body> => {
        const answer = await fetch(`${platform.url}${path}?${new URLSearchParams(query)}`);
        expect(answer.status, path).toBe(200);
        return (await answer.json()) as Body;
      };

      beforeAll(async () => {
        data = await mkdtemp(join(tmpdir(), 'meridian-default-map-'));
        const options = { newMap: args!.length > 0 };
        platform = await startPlatform(data, [...args!, '--drivers', '0'], {}, options);
        ({ middle } = (await get<StatusAnswer>('/v1/status')).tileset);
      }, 300_000);
      afterAll(async () => {
        await platform?.stop();
        await rm(data, { recursive: true, force: true });
      });

      const itIsComplete = () =>
        it('has water, parks, buildings, places and addresses, and finds them', async () => {
          const layersOf = async (zoom: number) => {
            const { z, x, y } = tileAt(valletta.lat, valletta.lng, zoom);
            const answer = await fetch(`${platform.url}/v1/tiles/${z}/${x}/${y}.mvt`);
            return new VectorTile(new PbfReader(new Uint8Array(await answer.arrayBuffer()))).layers;
          };
          const layers = await layersOf(13);
          const kinds = (layer: string): unknown[] =>
            Array.from(
              { length: layers[layer]!.length },
              (_, i) => layers[layer]!.feature(i).properties['kind'],
            );
          expect(kinds('land')).toContain('park');
          expect(kinds('place_labels')).toContain('capital');
          expect(layers['ocean']!.length).toBeGreaterThan(0);
          expect(layers['water_polygons']!.length).toBeGreaterThan(0);
          expect(layers['buildings']!.length).toBeGreaterThan(100);
          expect((await layersOf(16))['addresses']!.length).toBeGreaterThan(5);
          const find = async (address: string) =>
            (await get<GeocodeAnswer>('/v1/geocode', { address })).results[0]!;
          expect((await find('valletta')).types).toContain('locality');
          expect(await find('24 triq melita valletta')).toMatchObject({
            formatted_address: '24 Triq Melita, Valletta VLT1112, Malta',
            geometry: { location_type: 'ROOFTOP' },
          });
          const tileJson = await get<{ attribution: string }>('/v1/tiles.json');
          expect(tileJson.attribution).toContain('© OpenStreetMap contributors');
        });
      if (args?.length === 0) itIsComplete();

      it('has sample hotels at addresses with numbers, with the money and time of its country', async () => {
        const { hotels } = await get<HotelPlaces>('/v1/hotel-places');
        expect(hotels).toHaveLength(12);
        for (const { hotelID, address, lat, lng } of hotels) {
          expect(address).toMatch(/\d/);
          const found = await get<GeocodeAnswer>('/v1/geocode', { address });
          const place = found.results[0]!.geometry.location;
          expect(metresBetween(place, { lat, lng }), address).toBeLessThan(1);
          expect(await get<HotelView>(`/v1/hotels/${hotelID}`)).toMatchObject({ currency, timeZone });
        }
      });

      it('a route leads from the middle of the town to each hotel', async () => {
        const { hotels } = await get<HotelPlaces>('/v1/hotel-places');
        for (const { address, lat, lng } of hotels) {
          const answer = await get<NavAnswer>('/v1/nav', {
            origin: `${middle.lat},${middle.lng}`,
            destination: `${lat},${lng}`,
          });
          expect([answer.status, answer.routes[0]?.copyrights], address).toEqual([
            'OK',
            '© OpenStreetMap contributors',
          ]);
          expect(metresBetween(answer.end_location!, { lat, lng }), address).toBeLessThan(100);
        }
      });
    },
  );
