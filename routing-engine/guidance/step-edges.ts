import type { ManeuverModifier, ManeuverType } from './maneuver.js';

/** The part of a path that a step is for: its first edge, the one behind its maneuver, and its end. */
export interface StepEdges {
  readonly edgeFrom: number;
  readonly edgeBehind: number;
  readonly edgeTo: number;
  readonly maneuver: { readonly type: ManeuverType; readonly modifier?: ManeuverModifier };
}
