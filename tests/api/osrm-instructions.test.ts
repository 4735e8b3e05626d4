import { describe, expect, test } from 'vitest';
import { bannerInstructions } from '#api/osrm/banner-instructions.js';
import { lineAnswer } from '#api/osrm/line-answer.js';
import { lineStyle } from '#api/osrm/line-query.js';
import { spokenDistance } from '#api/osrm/spoken-distance.js';
import { voiceInstructions } from '#api/osrm/voice-instructions.js';
import { spell } from '#routing-engine/guidance/guidance-text.js';
import { guidanceLanguages } from '#routing-engine/guidance/guide.js';
import { arrivalAhead, inDistance, oneThenOther } from '#routing-engine/guidance/spoken-phrases.js';
import type { LegStep } from '#routing-engine/tasks/found-leg.js';
import type { FoundThrough } from '#routing-engine/tasks/found-through.js';

const step = (over: Partial<LegStep> & { type?: string; modifier?: string }): LegStep => {
  const { type = 'turn', modifier = 'left', ...rest } = over;
  return {
    ...{
      distanceM: 1_000,
      durationS: 72,
      name: 'Main',
      ref: '',
      destinations: '',
      exits: '',
      pronunciation: '',
      refDirections: '',
      rotaryName: '',
    },
    ...{ mode: 'driving', instruction: 'Turn left onto Main', geometryFrom: 0, geometryTo: 1, crossings: [] },
    maneuver: { type, modifier, bearingBefore: 0, bearingAfter: 270, location: { lat: 0, lng: 0 } },
    ...rest,
  } as LegStep;
};
const depart = step({ type: 'depart', instruction: 'Head north on First', name: 'First' });
const arrive = step({ type: 'arrive', distanceM: 0, durationS: 0, instruction: 'You have arrived' });
const metric = { language: 'en', units: 'metric' } as const;
const shownIn = { drivingSide: 'right', language: 'en' } as const;
const said = (steps: LegStep[], at: number, style: Parameters<typeof voiceInstructions>[2] = metric) =>
  voiceInstructions(steps, at, style).map(({ distanceAlongGeometry, announcement }) => [
    distanceAlongGeometry,
    announcement,
  ]);

describe('instructions that are read out', () => {
  const steps = [depart, step({}), arrive];

  test('the departure, then the maneuver 30 s before, then when it is to be done', () => {
    // 1,000 m in 72 s are 13.9 m/s.
    expect(said(steps, 0)).toEqual([
      [1_000, 'Head north on First'],
      [400, 'In 400 meters, turn left onto Main'],
      [97.2, 'Turn left onto Main'],
    ]);
    expect(said(steps, 1)).toEqual([
      [400, 'In 400 meters, you will arrive at your destination, on the left'],
      [97.2, 'You have arrived'],
    ]);
    expect(said(steps, 2)).toEqual([]);
  });

  test('distances follow the speed', () => {
    const motorway = [step({ distanceM: 9_000, durationS: 270 }), step({}), arrive];
    expect(said([depart, ...motorway], 1).map(([metres]) => metres)).toEqual([1_000, 233.3]);
    const walk = [step({ distanceM: 500, durationS: 360 }), step({}), arrive];
    expect(said([depart, ...walk], 1).map(([metres]) => metres)).toEqual([100, 15]);
  });

  test('what follows at once is in the same sentence', () => {
    const short = step({
      distanceM: 30,
      durationS: 4,
      instruction: 'Turn right onto Lane',
      modifier: 'right',
    });
    expect(said([depart, short, step({}), arrive], 0).at(-1)).toEqual([
      97.2,
      'Turn right onto Lane, then turn left onto Main',
    ]);
    const near = step({ type: 'depart', distanceM: 60, durationS: 6, instruction: 'Head north on First' });
    expect(said([near, step({}), arrive], 0)).toEqual([
      [60, 'Head north on First, then, in 60 meters, turn left onto Main'],
    ]);
  });

  test('units and languages', () => {
    expect(said(steps, 0, { language: 'en', units: 'imperial' })[1]).toEqual([
      400,
      'In 0.25 miles, turn left onto Main',
    ]);
    expect(said(steps, 0, { language: 'de', units: 'metric' })[1]?.[1]).toBe(
      'In 400 Metern, turn left onto Main',
    );
    for (const language of guidanceLanguages) {
      for (const sentence of [inDistance(language, 'D', 'Eins'), oneThenOther(language, 'Eins', 'Zwei', 'D')])
        expect(sentence, language).toMatch(/^[^{}]*D[^{}]*$/);
      expect(oneThenOther(language, 'Eins', 'Zwei'), language).toMatch(/Eins.*zwei/i);
    }
  });

  test('an arrival ahead is in the future, in every language, with the side if it is known', () => {
    const ahead = (language: string, modifier?: 'right'): string =>
      arrivalAhead(language, modifier === undefined ? {} : { modifier });
    expect(ahead('en')).toBe('You will arrive at your destination');
    expect(ahead('en', 'right')).toBe('You will arrive at your destination, on the right');
    expect(inDistance('de', '200 Metern', ahead('de', 'right'))).toBe(
      'In 200 Metern, erreichen Sie Ihr Ziel, es befindet sich rechts',
    );
    const arrived = { ...arrive.maneuver, type: 'arrive' } as const;
    for (const language of guidanceLanguages) {
      const road = { name: '', ref: '', destinations: '', exits: '', rotaryName: '', mode: '' };
      const there = spell(
        { ...road, motorway: false, drivingSide: 'right', maneuver: arrived },
        language,
      ).text.trim();
      // Vietnamese has no tenses.
      if (language !== 'vi') expect(ahead(language), language).not.toBe(there);
      expect(ahead(language), language).toMatch(/^[^{}\s][^{}]*[^{}\s-]$/);
      expect(ahead(language, 'right'), language).not.toBe(ahead(language));
    }
    const turnThenArrive = [
      step({ distanceM: 500, durationS: 36 }),
      step({ distanceM: 30, durationS: 4 }),
      arrive,
    ];
    expect(said([depart, ...turnThenArrive], 1).at(-1)?.[1]).toBe(
      'Turn left onto Main, then you will arrive at your destination, on the left',
    );
  });

  test('distances are in the case that the sentence asks for, else they have the symbol of the unit', () => {
    const distance = (language: string, metres: number, units: 'metric' | 'imperial' = 'metric') =>
      spokenDistance(metres, { language, units });
    expect(['de', 'fi', 'en', 'ru', 'pl'].map((language) => distance(language, 400))).toEqual([
      '400 Metern',
      '400 metrin',
      '400 meters',
      '400 метров',
      '400 metrów',
    ]);
    expect([1_000, 1_500, 2_000].map((metres) => distance('de', metres))).toEqual([
      '1 Kilometer',
      '1,5 Kilometern',
      '2 Kilometern',
    ]);
    expect(distance('de', 1_609, 'imperial')).toBe('1 Meile');
    expect(distance('sl', 1_500)).toBe('1,5 km');
    expect(distance('ru', 1_609, 'imperial')).not.toContain('миля');
  });

  test('names are escaped in SSML and only there', () => {
    const [, , now] = voiceInstructions(
      [depart, step({ instruction: 'Turn left onto A & <B>' }), arrive],
      0,
      metric,
    );
    expect(now).toMatchObject({
      announcement: 'Turn left onto A & <B>',
      ssmlAnnouncement: '<speak>Turn left onto A &amp; &lt;B&gt;</speak>',
    });
  });
});

describe('names with a pronunciation', () => {
  const houston = step({ name: 'Houston St', instruction: 'Turn left onto Houston St (9)' });
  const spoken = (next: LegStep) => voiceInstructions([depart, next, arrive], 0, metric);

  test('are read out by their phonemes, in SSML only', () => {
    const ph = '<phoneme alphabet="ipa" ph="ˈhaʊstən">Houston St</phoneme>';
    const [, early, now] = spoken({ ...houston, pronunciation: '/ˈhaʊstən/' });
    expect(early).toMatchObject({
      announcement: 'In 400 meters, turn left onto Houston St (9)',
      ssmlAnnouncement: `<speak>In 400 meters, turn left onto ${ph} (9)</speak>`,
    });
    expect(now).toMatchObject({
      announcement: 'Turn left onto Houston St (9)',
      ssmlAnnouncement: `<speak>Turn left onto ${ph} (9)</speak>`,
    });
  });

  test('two in one sentence keep their own', () => {
    const one = { ...houston, distanceM: 30, durationS: 4, pronunciation: '[ˈhaʊstən]' };
    const other = { ...houston, pronunciation: '[ˈhjuːstən]' };
    expect(voiceInstructions([depart, one, other, arrive], 0, metric).at(-1)?.ssmlAnnouncement).toMatch(
      /ph="ˈhaʊstən".*, then turn left onto .*ph="ˈhjuːstən"/,
    );
  });

  // Other notations would be read letter by letter, or end the attribute.
  test.each(['hew-stun', '/"><break time="9s"/', '/a"b/', '/a&b/', '/<a>/', 'ヒューストン', '//', '/ˈa1/'])(
    'F: %s is not in the IPA',
    (pronunciation) => {
      expect(spoken({ ...houston, pronunciation }).at(-1)?.ssmlAnnouncement).toBe(
        '<speak>Turn left onto Houston St (9)</speak>',
      );
    },
  );

  test('only as a whole word, and characters of the marks change nothing', () => {
    const said = (name: string, instruction: string) =>
      spoken(step({ name, instruction, pronunciation: '/ˈa/' })).at(-1);
    expect(said('On', 'Turn left onto Onset')?.ssmlAnnouncement).toBe('<speak>Turn left onto Onset</speak>');
    expect(said('on', 'Drive on the left, on')?.ssmlAnnouncement).toMatch(/left, <phoneme[^>]*>on</);
    expect(said('A & B', 'Turn onto A & B')?.ssmlAnnouncement).toContain('>A &amp; B</phoneme>');
    const marks = said('x', 'Turn onto \uE000a\uE001" x="\uE002');
    expect(marks?.ssmlAnnouncement).not.toContain('<phoneme alphabet="ipa" ph="" ');
    expect(marks?.announcement).toBe('Turn onto a" x="');
  });
});

test('numbers of roads have their signed directions where that was asked for', () => {
  const refOf = (over: Partial<LegStep>, directions: boolean): unknown => {
    const lngLat = Float64Array.of(0, 0, 1, 1);
    const leg = { steps: [step(over)], lngLat, distanceM: 1, durationS: 1, summary: '' };
    const options = { steps: true, ...(directions ? { cardinal_directions: true } : {}) };
    const style = { ...lineStyle(options, ['en']), drivingSide: 'right', nodes: new Map() } as const;
    const answer = lineAnswer({ legs: [leg] } as unknown as FoundThrough, style as never);
    return JSON.parse(JSON.stringify(answer)).legs[0].steps[0].ref;
  };
  const two = { ref: 'I 80;CO 93', refDirections: 'west;' };
  expect(refOf(two, true)).toBe('I 80 $west; CO 93');
  expect(refOf({ ...two, refDirections: 'west;north' }, true)).toBe('I 80 $west; CO 93 $north');
  expect(refOf(two, false)).toBe('I 80; CO 93');
  expect(refOf({ ref: 'A 5' }, true)).toBe('A 5');
  expect(refOf({}, true)).toBeUndefined();
});

describe('instructions that are shown', () => {
  test('the road behind the maneuver, its signs and the exit', () => {
    const exit = step({ type: 'off ramp', name: '', ref: 'A 5', exits: '37', destinations: 'Heidelberg' });
    expect(bannerInstructions([depart, exit, arrive], 0, shownIn)).toEqual([
      {
        distanceAlongGeometry: 1_000,
        primary: {
          text: 'Exit 37 A 5',
          components: [
            { type: 'exit', text: 'Exit' },
            { type: 'exit-number', text: '37' },
            { type: 'text', text: 'A 5' },
          ],
          ...{ type: 'off ramp', modifier: 'left', driving_side: 'right' },
        },
        secondary: {
          text: 'Heidelberg',
          components: [{ type: 'text', text: 'Heidelberg' }],
          ...{ type: 'off ramp', modifier: 'left', driving_side: 'right' },
        },
        sub: null,
      },
    ]);
    const shown = (over: Parameters<typeof step>[0]) =>
      bannerInstructions([depart, step({ name: '', ...over }), arrive], 0, shownIn);
    expect(shown({ type: 'off ramp', exits: '37', destinations: 'Heidelberg' })).toMatchObject([
      { primary: { text: 'Exit 37 Heidelberg' }, secondary: null },
    ]);
    expect(shown({ type: 'off ramp', exits: '37' })).toMatchObject([{ primary: { text: 'Exit 37' } }]);
    expect(shown({})).toMatchObject([{ primary: { text: 'Turn left onto Main' } }]);
    expect(bannerInstructions([depart, arrive], 0, shownIn)).toMatchObject([
      { primary: { text: 'You will arrive at your destination, on the left' }, secondary: null },
    ]);
    const ahead = (language: string) =>
      bannerInstructions([depart, arrive], 0, { drivingSide: 'right', language });
    expect(ahead('de')).toMatchObject([
      { primary: { text: 'Sie erreichen Ihr Ziel, es befindet sich links' } },
    ]);
    expect(ahead('tr')).toMatchObject([{ primary: { text: expect.stringMatching(/^Hedefinize/) } }]);
    expect(bannerInstructions([depart, arrive], 1, shownIn)).toEqual([]);
  });

  test('the lanes, when the maneuver is near', () => {
    const lanes = [
      { indications: ['left'], valid: true },
      { indications: ['straight', 'right'], valid: false },
    ];
    const crossing = { location: { lat: 0, lng: 0 }, bearings: [], entry: [], lanes };
    const [whole, near] = bannerInstructions([depart, step({ crossings: [crossing] }), arrive], 0, shownIn);
    expect(whole).toMatchObject({ distanceAlongGeometry: 1_000, sub: null });
    expect(near).toMatchObject({
      distanceAlongGeometry: 400,
      primary: { text: 'Main' },
      sub: {
        text: '',
        components: [
          { type: 'lane', text: '', directions: ['left'], active: true },
          { type: 'lane', text: '', directions: ['straight', 'right'], active: false },
        ],
      },
    });
  });
});
