import type { Tags } from '#schemas/osm-sink.js';

/** How fast a bicycle is ridden where tags say more than the class of the road. */
export interface Riding {
  /** km/h at least where all of these tags have one of the values; the fastest counts. */
  readonly raised: readonly {
    readonly where: Readonly<Record<string, readonly string[]>>;
    readonly kph: number;
  }[];
  /** Shares of the speed by slope in percent, ascending: each row counts up to the next. */
  readonly slopes: readonly (readonly [percent: number, share: number])[];
  /** Who would ride slower uphill gets off and pushes. */
  readonly leastKph: number;
}

/** The speed on this road, if surface and limit permit it. */
export function ridingKph(
  tags: Tags,
  riding: Riding,
  usual: number,
  direction: 'forward' | 'backward',
): number {
  let kph = usual;
  for (const { where, kph: raised } of riding.raised)
    if (raised > kph && Object.entries(where).every(([key, values]) => values.includes(tags.get(key) ?? '')))
      kph = raised;
  const slope = slopePercent(tags.get('incline')) * (direction === 'forward' ? 1 : -1);
  const [, share] = riding.slopes.findLast(([percent]) => percent <= slope) ?? riding.slopes[0]!;
  return Math.max(kph * share, Math.min(kph, riding.leastKph));
}

/** The steepest street is at 35 %; what is beyond is a mistake. */
const STEEPEST_PERCENT = 40;

/** `8%`, `-3.5 %`, `5°`, uphill in the drawn direction; 0 if no number is stated (`up`, `down`). */
export function slopePercent(text: string | undefined): number {
  const match = /^\s*([+-]?\d{1,2}(?:\.\d+)?)\s*([%°])\s*$/.exec(text ?? '');
  if (match === null) return 0;
  const value = Number(match[1]);
  const percent = match[2] === '%' ? value : 100 * Math.tan((value * Math.PI) / 180);
  return Math.abs(percent) > STEEPEST_PERCENT ? 0 : percent;
}
