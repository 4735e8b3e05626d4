import { beforeAll, describe, expect, test } from 'vitest';
import { askedCrossing } from '#api/geocode/crossings.js';
import { indexGeocoder } from '#api/geocode/index-geocoder.js';
import type { Geocoder } from '#api/ports/geocoder.js';
import { addressTown, geocodeTown, sourceOf } from '../geocoding/address-town.js';

let geocoder: Geocoder;
beforeAll(async () => {
  const { index, network } = await geocodeTown();
  geocoder = indexGeocoder(index, network);
});
const search = (text: string, language = '') => geocoder.search(text, { language, limit: 5 });

describe('geocoding a crossing of two streets', () => {
  test.each([
    ['Norra vägen & Köpmansgatan', [12, 58.004]],
    ['Köpmansgatan and Norra vägen, Testby', [12, 58.004]],
    // Storgatan is one-way there, towards the crossing.
    ['Storgatan och Östra gränd', [12.004, 58.002]],
    ['Sodra vagen / Ostra grand', [12.004, 58]],
    ['Norra vägn @ Köpmansgatn', [12, 58.004]],
  ])('%s', (text, [lng, lat]) => {
    const [found] = search(text);
    expect(found?.result.types).toEqual(['intersection']);
    expect(found!.location).toEqual({ lng, lat });
    expect(found!.result.geometry.location).toEqual({ lng, lat });
    expect(found!.onRoad('driving')).toMatchObject({ fraction: 0, side: 'on' });
  });

  test('gives an address with both names, in the requested language, and an id that leads back to it', () => {
    const [found] = search('Norra vägen & Köpmansgatan', 'en');
    expect(found!.result.formatted_address).toBe('Northern Road & Köpmansgatan, Testville, Sweden');
    expect(found!.result.place_id).toBe('x1');
    expect(geocoder.byId('x1', 'en')?.result.geometry).toEqual(found!.result.geometry);
    expect(new Set(geocoder.byId('x1', '')?.mainText.split(' & '))).toEqual(
      new Set(['Norra vägen', 'Köpmansgatan']),
    );
    for (const id of ['x999', 'x', 'x20', 'x1e3']) expect(geocoder.byId(id, '')).toBeUndefined();
  });

  test('offers the crossing while the second name is typed', () => {
    const [found] = geocoder.complete('Norra vägen & Köpm', { language: '', limit: 5 });
    expect(found?.result.place_id).toBe('x1');
  });

  test('finds no crossing if the streets do not meet, or if a street has that name', () => {
    expect(search('Norra vägen & Södra vägen')[0]?.result.types).not.toEqual(['intersection']);
    expect(search('<b>Bold & Sons')[0]?.result.types).toEqual(['route']);
  });

  test('ignores a street of that name without the number, in a town or a region', async () => {
    const called = (id: number, name: string, refs: number[]) => ({
      id,
      refs,
      tags: { highway: 'residential', name },
    });
    const { index, network } = await geocodeTown(
      sourceOf({
        nodes: addressTown.nodes,
        ways: [
          called(1, 'Peter- und Paul-Strasse', [1, 2, 3]),
          called(2, 'Peter-Kaiser-Strasse', [2, 5]),
          called(3, 'Paulsgatan', [5, 8]),
        ],
      }),
    );
    const first = (text: string) => indexGeocoder(index, network).search(text, { language: '', limit: 5 })[0];
    expect(first('Peter- und Paul-Strasse 77, Testby')).toMatchObject({
      mainText: 'Peter- und Paul-Strasse',
      result: { types: ['route'], partial_match: true },
    });
    expect(first('Peter-Kaiser-Strasse und Paulsgatan, Testby, Upper Wobbleshire')).toMatchObject({
      result: { types: ['intersection'] },
    });
  });

  test('requires exactly two names', () => {
    expect(askedCrossing('A street & B street, Town, Land')).toEqual({
      streets: ['A street', 'B street'],
      rest: ' Town  Land',
    });
    for (const text of ['', '&', 'A &', '& B', 'A & B & C', 'Sandvägen', 'Landet', 'A, B & C'])
      expect(askedCrossing(text), text).toBeUndefined();
  });
});
