import mapboxPolyline from '@mapbox/polyline';
import { describe, expect, it } from 'vitest';
import type { NavStep } from '#schemas/http/nav.js';
import { announcement, type Said } from '#web/navigation/announcements.js';
import { guidanceOf, nextManeuver } from '#web/navigation/guidance.js';
import { turnWord } from '#web/steps/turn-word.js';

const at = { lat: 57.7, lng: 11.97 };
const some = { text: '', value: 0 };
const step = (metres: number, html: string, more: Partial<NavStep> = {}): NavStep => ({
  ...{ duration: some, start_location: at, end_location: at, polyline: { points: '' } },
  ...{ travel_mode: 'DRIVING', html_instructions: html, distance: { text: '', value: metres } },
  ...more,
});
const steps = [
  step(1_000, 'Head <b>east</b> on <b>Avenyn</b>'),
  step(100, 'Turn right onto <b>Vasagatan</b>'),
  step(900, 'Turn left<div>You have arrived</div>'),
];
const guidance = guidanceOf('x', steps);
const next = (drivenM: number) => nextManeuver(guidance, drivenM, 2_000);

describe('nextManeuver', () => {
  it('is the first maneuver ahead, with its distance and what follows within 250 m', () => {
    expect(next(0)).toEqual({ at: 1, step: steps[1], inM: 1_000, afterwards: steps[2] });
    expect(next(990)).toMatchObject({ at: 1, inM: 10 });
    expect(next(1_000)).toEqual({ at: 2, step: steps[2], inM: 100, afterwards: undefined });
  });

  it('is the arrival after the last one, and never behind the driver', () => {
    expect(next(1_500)).toEqual({ at: 3, step: undefined, inM: 500, afterwards: undefined });
    expect(next(2_100).inM).toBe(0);
    const short = guidanceOf('x', [step(500, 'a'), step(200, 'b')]);
    expect(nextManeuver(short, 0, 700).afterwards).toBe('arrival');
  });
});

describe('announcement', () => {
  /** Everything that is said on the way at 14 m/s, in order. */
  const drive = (speedMps = 14) => {
    const said: string[] = [];
    let last: Said | null = null;
    for (let driven = 0; driven <= 2_000; driven += speedMps) {
      const due = announcement(next(driven), speedMps, 'metric', last);
      if (due === null) continue;
      last = due.said;
      said.push(due.text);
    }
    return said;
  };

  it('tells each maneuver early with its distance, and again just before it', () => {
    expect(drive()).toEqual([
      'In 340 m: Turn right onto Vasagatan.',
      'Turn right onto Vasagatan. Then Turn left.',
      'In 90 m: Turn left.',
      'Turn left.',
      'In 350 m: You arrive.',
      'You arrive.',
    ]);
  });

  it('uses miles and feet where they are asked for', () => {
    expect(announcement(next(700), 14, 'imperial', null)?.text).toBe('In 0.2 mi: Turn right onto Vasagatan.');
  });
});

describe('turnWord', () => {
  const line = (...points: [number, number][]) => ({ polyline: { points: mapboxPolyline.encode(points) } });
  const north = step(1, '', line([57.7, 11.97], [57.71, 11.97]));
  const word = (lat: number, lng: number) => turnWord(step(1, '', line([57.71, 11.97], [lat, lng])), north);

  it('is the word of the server, else follows the bend of the line', () => {
    expect(turnWord(step(1, '', { maneuver: 'merge' }), north)).toBe('merge');
    expect(word(57.72, 11.97)).toBe('straight');
    expect(word(57.72, 11.985)).toBe('turn-slight-right');
    expect(word(57.71, 11.99)).toBe('turn-right');
    expect(word(57.71, 11.95)).toBe('turn-left');
    expect(word(57.702, 11.969)).toBe('turn-sharp-left');
    expect(turnWord(step(1, ''), undefined)).toBe('straight');
  });
});
