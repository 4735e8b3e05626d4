import type { NavStep } from '#schemas/http/nav.js';
import type { Guidance } from '../state/navigation-state.js';

export function guidanceOf(polyline: string, steps: readonly NavStep[]): Guidance {
  let sum = 0;
  const beginsM = steps.map((step) => {
    const begin = sum;
    sum += step.distance.value;
    return begin;
  });
  return { polyline, steps, beginsM };
}

/** What a driver does next. */
export interface NextManeuver {
  /** Index of the step that begins with the maneuver; the number of steps for the arrival. */
  readonly at: number;
  /** Undefined for the arrival. */
  readonly step: NavStep | undefined;
  readonly inM: number;
  /** The maneuver after it, where it follows so soon that one prepares for both. */
  readonly afterwards: NavStep | 'arrival' | undefined;
}

/** Two maneuvers within this distance are told together. */
const togetherM = 250;

/** The maneuver that lies ahead after `drivenM`; `lengthM` is where the route ends. */
export function nextManeuver({ steps, beginsM }: Guidance, drivenM: number, lengthM: number): NextManeuver {
  const at = beginsM.findIndex((begin, i) => i > 0 && begin > drivenM);
  if (at < 0)
    return { at: steps.length, step: undefined, inM: Math.max(0, lengthM - drivenM), afterwards: undefined };
  const begin = beginsM[at] as number;
  const isLast = at === steps.length - 1;
  const follows = isLast ? lengthM : (beginsM[at + 1] as number);
  const afterwards = follows - begin > togetherM ? undefined : isLast ? 'arrival' : steps[at + 1];
  return { at, step: steps[at], inM: begin - drivenM, afterwards };
}
