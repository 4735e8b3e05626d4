import { feature } from '@rapideditor/country-coder';
import { describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { type Country, countryAt } from '#osm/countries/country-at.js';
import { readRules } from '#osm/profiles/read-way.js';
import { type TravelMode, travelModes } from '#routing-engine/network/travel-mode.js';
import { drawMap } from '../routing-engine/ascii-map.js';
import { LegalMoves } from './legal-moves.js';

type Tags = Readonly<Record<string, string>>;

const at = (lng: number, lat: number): Country | undefined =>
  countryAt(Math.round(lng * 1e7), Math.round(lat * 1e7));
const within = (code: string, side: Country['side'] = 'right'): Country => ({ code, side });
const kphOf = (tags: Tags, country: Country | undefined, mode: TravelMode = 'driving'): number =>
  readRules(new Map(Object.entries(tags)), 0, country)?.forwardKph[travelModes.indexOf(mode)] ?? 0;

describe('the country of a road', () => {
  it('M-021: countries, territories with laws of their own, and the sea', () => {
    const places: readonly (readonly [number, number, string | undefined, string?])[] = [
      [14.5, 35.9, 'MT', 'left'],
      [8.7, 49.4, 'DE', 'right'],
      [2.3, 48.9, 'FR', 'right'],
      [-0.1, 51.5, 'GB', 'left'],
      [-6, 54.6, 'GB', 'left'],
      [-4.5, 54.2, 'IM', 'left'],
      [-5.35, 36.13, 'GI', 'right'],
      [114.16, 22.3, 'HK', 'left'],
      [113.9, 22.6, 'CN', 'right'],
      [-64.7, 18.34, 'VI', 'left'],
      [1, 1, undefined],
    ];
    for (const [lng, lat, code, side] of places)
      expect([lng, lat, at(lng, lat)]).toEqual([lng, lat, code === undefined ? undefined : { code, side }]);
  });

  it('M-021: near a border each place has its own country, as a lookup of the place alone says', () => {
    const random = seeded(138);
    const boxes = [
      [8.3, 47.5, 9.3, 47.9],
      [113.8, 22.3, 114.4, 22.7],
      [7.3, 43.6, 7.6, 43.9],
      [-123.5, 48.8, -122.5, 49.2],
      [-8, 54.2, -7, 55.2],
    ] as const;
    const found = new Set<string | undefined>();
    for (const [west, south, east, north] of boxes)
      for (let i = 0; i < 3_000; i++) {
        const lngE7 = Math.round((west + random() * (east - west)) * 1e7);
        const latE7 = Math.round((south + random() * (north - south)) * 1e7);
        const properties = feature([lngE7 / 1e7, latE7 / 1e7], { level: 'subterritory' })?.properties;
        const { iso1A2, isoStatus, country } = properties ?? {};
        const code = isoStatus === 'official' ? iso1A2 : country;
        expect([lngE7, latE7, countryAt(lngE7, latE7)?.code]).toEqual([lngE7, latE7, code]);
        found.add(code);
      }
    for (const code of ['DE', 'CH', 'HK', 'CN', 'FR', 'IT', 'MC', 'US', 'CA', 'GB', 'IE', undefined])
      expect(found).toContain(code);
  });
});

describe('what the law of a country says where no tag does', () => {
  it('M-021: no road is faster than its law allows, and a sign wins over the law', () => {
    const rows: readonly (readonly [Tags, string, number])[] = [
      [{ highway: 'primary' }, 'DE', 65],
      [{ highway: 'primary' }, 'MT', 64],
      [{ highway: 'primary', lit: 'yes' }, 'MT', 40],
      [{ highway: 'primary', sidewalk: 'both' }, 'DE', 40],
      [{ highway: 'primary', 'sidewalk:left': 'yes' }, 'RU', 48],
      [{ highway: 'primary', lit: 'yes', 'zone:traffic': 'DE:rural' }, 'DE', 65],
      [{ highway: 'primary', 'zone:traffic': 'DE:urban' }, 'DE', 40],
      [{ highway: 'primary', lit: 'yes', maxspeed: '80' }, 'MT', 64],
      [{ highway: 'primary', lit: 'yes', maxspeed: '100' }, 'MT', 80],
      [{ highway: 'primary', lit: 'yes', 'source:maxspeed': 'MT:rural' }, 'MT', 64],
      [{ highway: 'trunk' }, 'AT', 80],
      [{ highway: 'trunk', lit: 'yes' }, 'AT', 80],
      [{ highway: 'trunk' }, 'SE', 56],
      [{ highway: 'secondary', motorroad: 'yes' }, 'SE', 55],
      [{ highway: 'motorway' }, 'DE', 90],
      [{ highway: 'motorway' }, 'JP', 80],
      [{ highway: 'residential', lit: 'yes' }, 'DE', 25],
      [{ highway: 'primary' }, 'QQ', 65],
    ];
    for (const [tags, code, kph] of rows)
      expect([tags, code, kphOf(tags, within(code))]).toEqual([tags, code, kph]);
    expect(kphOf({ highway: 'primary', lit: 'yes' }, undefined)).toBe(65);
    expect(kphOf({ highway: 'primary', lit: 'yes' }, within('MT'), 'bicycling')).toBe(16);
  });

  it('M-021: classes of roads are open to bicycles and pedestrians by country, and tags win', () => {
    const rows: readonly (readonly [Tags, TravelMode, open: readonly string[], closed: readonly string[]])[] =
      [
        [{ highway: 'trunk' }, 'bicycling', ['DE', 'GB', 'NL'], ['AT', 'BE', 'CH', 'DK', 'FR', 'HU', 'SK']],
        [{ highway: 'trunk', bicycle: 'yes' }, 'bicycling', ['AT', 'DE'], []],
        [{ highway: 'trunk', cycleway: 'lane' }, 'bicycling', ['AT'], []],
        [{ highway: 'trunk', access: 'yes' }, 'bicycling', ['DE'], ['AT']],
        [{ highway: 'path' }, 'bicycling', ['DE'], ['AT']],
        [{ highway: 'footway' }, 'bicycling', ['NO', 'AU'], ['DE', 'MT']],
        [{ highway: 'footway', bicycle: 'no' }, 'bicycling', [], ['NO']],
        [{ highway: 'pedestrian' }, 'bicycling', ['FI', 'SE', 'FR'], ['DE', 'MT']],
        [{ highway: 'pedestrian', vehicle: 'no' }, 'bicycling', [], ['FI']],
        [{ highway: 'bridleway' }, 'bicycling', ['GB', 'IE'], ['DE']],
        [{ highway: 'cycleway' }, 'walking', ['NL', 'GB', 'SE', 'MT'], ['DE', 'AT', 'FR']],
        [{ highway: 'cycleway', foot: 'yes' }, 'walking', ['DE'], []],
        [{ highway: 'cycleway', segregated: 'no' }, 'walking', ['DE'], []],
        [{ highway: 'bridleway' }, 'walking', ['GB', 'MT'], ['DE', 'FI']],
        [{ highway: 'trunk' }, 'driving', ['AT', 'DE'], []],
      ];
    // Who may walk there pushes a bicycle, at 4 km/h.
    const usesIt = (tags: Tags, code: string, mode: TravelMode): boolean =>
      kphOf(tags, within(code), mode) > (mode === 'bicycling' ? 4 : 0);
    for (const [tags, mode, open, closed] of rows) {
      for (const code of open) expect([tags, code, usesIt(tags, code, mode)]).toEqual([tags, code, true]);
      for (const code of closed) expect([tags, code, usesIt(tags, code, mode)]).toEqual([tags, code, false]);
    }
  });

  it('M-021: on a map over a border, each road follows its own country', async () => {
    const crossing = `
      A----------B----------C
    `;
    const legal = new LegalMoves();
    const tags = { highway: 'trunk' };
    // B lies in Freilassing, C in Salzburg.
    const map = await drawMap(crossing, {
      ways: { AB: tags, BC: tags },
      origin: { lng: 12.77, lat: 47.82 },
      stepM: 700,
      witness: legal.sink,
    });
    const { network } = map;
    const kph = (from: string, to: string): number => network.freeFlowKph(map.edge(from, to), 'bicycling');
    expect([kph('A', 'B'), kph('B', 'C')]).toEqual([15, 0]);
    expect(legal.judge([map.idOf('A', 'B')], 'bicycling')).toEqual([]);
    expect(legal.judge([map.idOf('B', 'C')], 'bicycling')).not.toEqual([]);
  });
});
