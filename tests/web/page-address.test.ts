import { describe, expect, it } from 'vitest';
import { readCamera, readPlan, writeCamera, writePlan } from '#web/address/page-address.js';
import { moved, viaMax } from '#web/route/stops.js';

const whole = {
  start: { lat: 35.911, lng: 14.502, name: 'Triq & Co, "1" ~ 2', placeId: 'edge:1@0.5' },
  via: [
    { lat: 35.9, lng: 14.5 },
    { lat: 35.89, lng: 14.49, name: 'Ħal Qormi 🏠' },
  ],
  end: { lat: 35.878, lng: 14.472 },
  mode: 'truck',
  truck: { height: 3.8, weight: 18 },
  avoid: ['tolls', 'unpaved'],
  when: { kind: 'arrive', at: '2026-12-01T08:30' },
  chosen: 2,
  open: 'steps',
  units: 'imperial',
  reachFrom: { lat: 35.91, lng: 14.5 },
} as const;
const written = (plan: Parameters<typeof writePlan>[0]) => `?${writePlan(plan).join('&')}`;

describe('the address of a plan', () => {
  it('holds all of it, and reads back the same', () => {
    expect(readPlan(written(whole))).toEqual(whole);
  });

  it('is empty for an empty page, and short for two places', () => {
    const empty = readPlan('');
    expect(writePlan(empty)).toEqual([]);
    const two = { ...empty, start: { lat: 35.911, lng: 14.502 }, end: { lat: 35.878, lng: 14.472 } };
    expect(writePlan(two)).toEqual(['from=35.911000,14.502000', 'to=35.878000,14.472000']);
  });

  it('ignores what is wrong or too much, and the rest counts', () => {
    const many = Array.from({ length: 30 }, () => 'via=35.9,14.5').join('&');
    const plan = readPlan(
      `?from=95,14&to=35.878,14.472&mode=rocket&avoid=tolls,sheep&route=-4&open=x&depart=soon&size=height:999&${many}`,
    );
    expect(plan).toMatchObject({ start: null, mode: 'driving', avoid: ['tolls'], chosen: 0, open: null });
    expect(plan).toMatchObject({ when: { kind: 'now' }, truck: {}, end: { lat: 35.878, lng: 14.472 } });
    expect(plan.via).toHaveLength(viaMax);
    expect(readPlan(`?to=35.9,14.5~~${'x'.repeat(10_000)}`).end?.name).toHaveLength(200);
  });

  it('holds the place and the zoom of the map', () => {
    const camera = { lat: 35.9, lng: 14.5, zoom: 15.25 };
    expect(readCamera(`?${writeCamera(camera)}`)).toEqual(camera);
    for (const wrong of ['', '?view=1,2', '?view=95,2,3', '?view=1,2,99', '?view=1,2,3,4', '?view=a,b,c'])
      expect(readCamera(wrong)).toBeNull();
  });
});

describe('moved', () => {
  const [a, b, c] = [1, 2, 3].map((lat) => ({ lat, lng: 0 }));
  it('puts a stop elsewhere in the order, and nothing beyond its ends', () => {
    const stops = [a!, b!, c!];
    expect(moved(stops, 2, 0)).toEqual([c, a, b]);
    expect(moved(stops, 0, 1)).toEqual([b, a, c]);
    expect(moved(stops, 0, -1)).toBe(stops);
    expect(moved(stops, 2, 3)).toBe(stops);
  });
});
