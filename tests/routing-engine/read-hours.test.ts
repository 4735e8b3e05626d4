import { describe, expect, it } from 'vitest';
import { readHours } from '#routing-engine/hours/read-hours.js';
import { shutBy } from '#routing-engine/hours/shut-by.js';

/** The local getters show the clock, whatever the zone of the tests. */
const monday = (hour: number): Date => new Date(2026, 4, 4, hour);
const newYear = new Date(2026, 0, 1, 8);

describe('hours', () => {
  it('have the public holidays of the country, and none that are not known', () => {
    const text = 'Mo-Fr 07:00-09:00; PH off';
    expect(['DE', 'MT', 'ZZ', ''].map((country) => readHours(text, country)?.(newYear))).toEqual([
      ...[false, false, true, true],
    ]);
    expect(readHours('PH 10:00-20:00', 'ZZ')).toBeUndefined();
    expect(readHours('Mo-Fr 07:00-09:00; PH,SH off', 'DE')?.(newYear)).toBe(false);
    expect(readHours('Mo-Fr 07:00-09:00; PH,SH off', 'DE')?.(monday(8))).toBe(true);
  });

  it('hold where all parts do, and are not read in part', () => {
    const both = readHours('07:00-19:00 AND Nov-Mar', 'DE');
    expect([monday(8), newYear, new Date(2026, 0, 1, 20)].map((clock) => both?.(clock))).toEqual([
      ...[false, true, false],
    ]);
    for (const text of [
      '07:00-19:00 AND wet',
      'sunset-sunrise',
      'schooldays only',
      '08:00-12:00 "school"',
      '',
    ])
      expect([text, readHours(text, 'DE')]).toEqual([text, undefined]);
  });

  it('shut in doubt, whether they shut or open', () => {
    const shuts = shutBy({ shut: false, clauses: [{ shut: true, hours: 'PH' }] }, 'ZZ');
    const opens = shutBy({ shut: true, clauses: [{ shut: false, hours: 'PH' }] }, 'ZZ');
    expect([shuts(monday(8)), opens(monday(8))]).toEqual([true, true]);
    const last = shutBy(
      {
        shut: false,
        clauses: [
          { shut: true, hours: '07:00-19:00' },
          { shut: false, hours: '12:00-13:00' },
        ],
      },
      'DE',
    );
    expect([6, 8, 12, 14].map((hour) => last(monday(hour)))).toEqual([false, true, false, true]);
  });
});
