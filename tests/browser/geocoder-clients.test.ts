import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedTown, serveBoundedTown } from '../api/geocode-clients.js';
import { chromium, skipped, why } from './chromium.js';
import { launch } from './open-page.js';

const script = (name: string): string => readFileSync(createRequire(import.meta.url).resolve(name), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: the clients come without types
type Untyped = any;

/** A result of leaflet-control-geocoder, put where the test can read it. */
interface LeafletResult {
  readonly name: string;
  readonly html: string | undefined;
  readonly center: readonly [number, number];
  /** West, south, east, north. */
  readonly bbox: readonly [number, number, number, number];
}

describe.skipIf(skipped)(`geocoders of map libraries, unchanged${why}`, { timeout: 120_000 }, () => {
  let served: ServedTown;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    served = await serveBoundedTown();
    browser = await launch(chromium!);
    page = await browser.newPage({ locale: 'en-US' });
    const { url } = served.served;
    // The page is on the server's own origin, so that the clients read it as their own.
    await page.route(`${url}/client.html`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<div id="map" style="height:300px;width:300px"></div><div id="geocoder"></div>',
      }),
    );
    await page.goto(`${url}/client.html`);
    for (const name of ['leaflet', 'leaflet-control-geocoder', '@maplibre/maplibre-gl-geocoder'])
      await page.addScriptTag({ content: script(name) });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });

  // The browser asks for English names; every answer below has them.

  /** `of` asks one geocoder of `L.Control.Geocoder`. */
  const leaflet = (
    kind: 'nominatim' | 'photon',
    of:
      | { readonly text: string }
      | { readonly place: readonly [lat: number, lng: number]; readonly zoom: number },
  ): Promise<LeafletResult[]> =>
    page.evaluate(
      async ([origin, name, asked]) => {
        const { L } = globalThis as Untyped;
        const options = {
          nominatim: { serviceUrl: `${origin}/v1/nominatim/` },
          photon: { serviceUrl: `${origin}/v1/photon/api`, reverseUrl: `${origin}/v1/photon/reverse` },
        }[name];
        const geocoder = L.Control.Geocoder[name](options);
        const map = L.map('map').setView([58.002, 12.002], 15);
        const results =
          'text' in asked
            ? await geocoder.geocode(asked.text, { map })
            : await geocoder.reverse(L.latLng(...asked.place), map.options.crs.scale(asked.zoom));
        map.remove();
        return results.map(({ name: text, html, center, bbox }: Untyped) => ({
          name: text,
          html,
          center: [center.lat, center.lng],
          bbox: [bbox.getWest(), bbox.getSouth(), bbox.getEast(), bbox.getNorth()],
        }));
      },
      [served.served.url, kind, of] as const,
    );

  test('leaflet-control-geocoder searches with Nominatim', async () => {
    const [first] = await leaflet('nominatim', { text: 'Storgatan 2, Testby' });
    expect(first).toMatchObject({ center: [58.0019, 12.0004] });
    expect(first!.name).toMatch(/^2, Storgatan, /);
    expect(first!.html).toContain('Storgatan 2');
    expect(first!.html).toContain('Testville');
    expect((await leaflet('nominatim', { text: 'Testby' }))[0]!.bbox).toEqual([
      11.998, 57.998, 12.006, 58.006,
    ]);
    expect(await leaflet('nominatim', { text: 'Atlantis' })).toEqual([]);
  });

  test('leaflet-control-geocoder asks Nominatim for a place, at any zoom of its map', async () => {
    const name = async (zoom: number) =>
      (await leaflet('nominatim', { place: [58.0021, 12.0004], zoom })).map(
        (each) => each.name.split(',')[0],
      );
    expect([await name(10), await name(17), await name(20)]).toEqual([['Testville'], ['Storgatan'], ['1']]);
    expect(await leaflet('nominatim', { place: [-40, -100], zoom: 18 })).toEqual([]);
  });

  test('leaflet-control-geocoder searches with Photon, near the middle of its map', async () => {
    const results = await leaflet('photon', { text: 'storg' });
    expect(results.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^Storgatan, Testville/),
      expect.stringMatching(/^Storgatan, Malmköping/),
    ]);
    expect((await leaflet('photon', { text: 'Testby' }))[0]!.bbox).toEqual([11.998, 57.998, 12.006, 58.006]);
  });

  test('leaflet-control-geocoder asks Photon for a place', async () => {
    const [place] = await leaflet('photon', { place: [58.0019, 12.0005], zoom: 18 });
    expect(place!.name).toMatch(/^Storgatan, Testville/);
    expect(place!.center).toEqual([58.0019, 12.0004]);
  });

  /** Asks like an application that uses Nominatim's GeoJSON with its polygons. */
  const maplibre = (text: string): Promise<{ names: string[]; listed: string[]; error?: string }> =>
    page.evaluate(
      async ([origin, query]) => {
        const { MaplibreGeocoder, document } = globalThis as Untyped;
        const read = async (operation: string, values: Record<string, string>): Promise<Untyped> => {
          const output = { format: 'geojson', polygon_geojson: '1', addressdetails: '1' };
          const search = new URLSearchParams({ ...values, ...output });
          const answer = await fetch(`${origin}/v1/nominatim/${operation}?${search}`);
          const { features } = (await answer.json()) as Untyped;
          return {
            features: features.map((feature: Untyped) => ({
              ...feature,
              text: feature.properties.name,
              place_name: feature.properties.display_name,
              place_type: ['place'],
              center: [(feature.bbox[0] + feature.bbox[2]) / 2, (feature.bbox[1] + feature.bbox[3]) / 2],
            })),
          };
        };
        const api = {
          forwardGeocode: ({ query: q, limit }: Untyped) => read('search', { q, limit }),
          reverseGeocode: ({ query: [lon, lat] }: Untyped) => read('reverse', { lon, lat }),
        };
        const geocoder = new MaplibreGeocoder(api, {
          reverseGeocode: true,
          limit: 5,
          showResultsWhileTyping: true,
        });
        geocoder.addTo('#geocoder');
        const answered = new Promise<Untyped>((resolve) => {
          geocoder.on('results', resolve);
          geocoder.on('error', ({ error }: Untyped) => resolve({ features: [], error: String(error) }));
        });
        geocoder.setInput(query);
        const { features, error } = await answered;
        const listed = [...document.querySelectorAll('#geocoder .suggestions li')];
        const seen = {
          names: features.map((feature: Untyped) => feature.place_name),
          listed: listed.map((line) => line.textContent.trim()),
          ...(error === undefined ? {} : { error }),
        };
        document.querySelector('#geocoder').textContent = '';
        return seen;
      },
      [served.served.url, text] as const,
    );

  test('maplibre-gl-geocoder lists what Nominatim finds', async () => {
    const seen = await maplibre('Testby');
    expect(seen.error).toBeUndefined();
    expect(seen.names).toEqual([
      'Testville, Test County, Sweden',
      'Testby central, Södra vägen, Testville, Test County, Sweden',
    ]);
    expect(seen.listed.length).toBeGreaterThan(0);
  });

  test('maplibre-gl-geocoder asks for a place that is typed as latitude and longitude', async () => {
    expect((await maplibre('58.0021, 12.0004')).names).toEqual([
      '1, Storgatan, Testville, Test County, 123 45, Sweden',
    ]);
  });
});
