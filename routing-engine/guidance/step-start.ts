import type { ManeuverModifier, ManeuverType } from './maneuver.js';

/** The start of a step, and the maneuver there. */
export interface StepStart {
  /** First edge of the step, in the path. */
  readonly edge: number;
  /** Edge that gives the step its name: behind a roundabout the one after it. */
  readonly named: number;
  /** Edge behind the maneuver; absent if it is `named`. */
  readonly behind?: number | undefined;
  readonly type: ManeuverType;
  readonly modifier?: ManeuverModifier;
  readonly exit?: number | undefined;
  /** An edge of the rotary that is entered. */
  readonly ring?: number | undefined;
}
