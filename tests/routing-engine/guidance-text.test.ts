import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { guidanceLanguages, spell } from '#routing-engine/guidance/guidance-text.js';
import type { Maneuver } from '#routing-engine/guidance/maneuver.js';

interface Library {
  compile(language: string, step: object, options: object): string;
}
const load = createRequire(import.meta.url);
const library = (load('osrm-text-instructions') as (version: string) => Library)('v5');
const types: Maneuver['type'][] = ['depart', 'arrive', 'turn', 'new name', 'off ramp', 'fork', 'roundabout'];
const roads = [
  { name: '', ref: '', destinations: '', exits: '' },
  { name: 'Невский проспект', ref: 'A 1;B 2', destinations: '', exits: '' },
  { name: 'Île & "Sons" <b>', ref: '', destinations: '', exits: '' },
  { name: 'Ring', ref: 'E 6', destinations: 'B 37: Heidelberg, Mannheim', exits: '37' },
];

it('cached instructions equal those of the library, in every language and direction', () => {
  let compared = 0;
  for (const language of guidanceLanguages)
    for (const type of types)
      for (const road of roads)
        for (const bearingAfter of [0, 48.2, 181.4, 359.8])
          for (const motorway of [false, true]) {
            const modifier = compared % 2 === 0 ? 'left' : 'slight right';
            const at = { lat: 0, lng: 0 };
            const turn: Maneuver = { type, modifier, exit: 2, bearingBefore: 0, bearingAfter, location: at };
            const step = {
              ...road,
              rotaryName: type === 'rotary' ? 'Circle & Co' : '',
              mode: 'driving',
              maneuver: turn,
              motorway,
              drivingSide: 'right',
            } as const;
            const { text } = spell(step, language);
            const { name, ref, destinations, exits, mode } = step;
            const asked = {
              ...{ name, ref, destinations, exits, mode, driving_side: 'right' },
              ...(step.rotaryName === '' ? {} : { rotary_name: step.rotaryName }),
              maneuver: { type, modifier, exit: 2, bearing_after: Math.round(bearingAfter) % 360 },
            };
            const anew = library.compile(language, asked, { classes: motorway ? ['motorway'] : [] });
            expect(text, `${language} ${type} ${bearingAfter}`).toBe(anew);
            compared++;
          }
  expect(compared).toBe(guidanceLanguages.length * types.length * roads.length * 8);
});
