import { arrivalShown } from '#routing-engine/guidance/spoken-phrases.js';
import type { Lane } from '#routing-engine/route/lane.js';
import type { LegStep } from '#routing-engine/tasks/found-leg.js';
import { tenth } from './numbers.js';
import { earlyOf } from './voice-instructions.js';

type Component =
  | { readonly type: 'text' | 'delimiter' | 'exit' | 'exit-number'; readonly text: string }
  | {
      readonly type: 'lane';
      readonly text: '';
      readonly directions: readonly string[];
      readonly active: boolean;
    };

interface BannerStyle {
  readonly drivingSide: 'left' | 'right';
  readonly language: string;
}

/** What Mapbox's navigation clients show during a step: the maneuver at its end, and near it the lanes. */
export function bannerInstructions(
  steps: readonly LegStep[],
  at: number,
  { drivingSide, language }: BannerStyle,
): object[] {
  const [step, next] = [steps[at]!, steps[at + 1]];
  if (next === undefined) return [];
  const destinations = next.maneuver.type === 'arrive' ? '' : next.destinations;
  const banner = {
    primary: { ...lineOf(primaryOf(next, language)), ...turnOf(next, drivingSide) },
    secondary:
      destinations === '' || isNameless(next)
        ? null
        : { ...lineOf([textOf(destinations)]), ...turnOf(next, drivingSide) },
  };
  const whole = { distanceAlongGeometry: tenth(step.distanceM), ...banner, sub: null };
  const lanes = next.crossings[0]?.lanes;
  if (lanes === undefined) return [whole];
  const near = { distanceAlongGeometry: tenth(earlyOf(step)), ...banner, sub: lineOf(lanes.map(laneOf)) };
  return near.distanceAlongGeometry < whole.distanceAlongGeometry ? [whole, near] : [near];
}

const textOf = (text: string): Component => ({ type: 'text', text });

const isNameless = ({ name, ref }: LegStep): boolean => name === '' && ref === '';

/**
 * The exit and the road with its number; without a name the exit and the sign, else the instruction. It is
 * shown on the way, where nobody has arrived yet.
 */
function primaryOf(step: LegStep, language: string): Component[] {
  const { name, ref, destinations, maneuver, instruction } = step;
  if (maneuver.type === 'arrive') return [textOf(arrivalShown(language, maneuver))];
  if (isNameless(step)) {
    const sign = [...exitOf(step), ...(destinations === '' ? [] : [textOf(destinations)])];
    return sign.length > 0 ? sign : [textOf(instruction)];
  }
  const road = [name, ref].filter((text) => text !== '');
  return [
    ...exitOf(step),
    ...road.flatMap((text, at): Component[] =>
      at === 0 ? [textOf(text)] : [{ type: 'delimiter', text: '/' }, textOf(text)],
    ),
  ];
}

/** The number of an exit is shown where it is taken. */
const exitOf = ({ exits, maneuver: { type } }: LegStep): Component[] =>
  exits === '' || type !== 'off ramp'
    ? []
    : [
        { type: 'exit', text: 'Exit' },
        { type: 'exit-number', text: exits },
      ];

const laneOf = ({ indications, valid }: Lane): Component => ({
  type: 'lane',
  text: '',
  directions: indications,
  active: valid,
});

const lineOf = (components: readonly Component[]) => ({
  text: components
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join(' '),
  components,
});

const turnOf = ({ maneuver: { type, modifier } }: LegStep, drivingSide: string) => ({
  type,
  ...(modifier === undefined ? {} : { modifier }),
  driving_side: drivingSide,
});
