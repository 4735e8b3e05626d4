import type { LatLng } from '#schemas/units.js';

/** OSRM's words for maneuvers. */
export const maneuverTypes = [
  'depart',
  'arrive',
  'turn',
  'new name',
  'merge',
  'on ramp',
  'off ramp',
  'fork',
  'end of road',
  'continue',
  'roundabout',
  'rotary',
  'roundabout turn',
  'exit roundabout',
  'exit rotary',
  'notification',
] as const;
export type ManeuverType = (typeof maneuverTypes)[number];
export const maneuverModifiers = [
  'uturn',
  'sharp right',
  'right',
  'slight right',
  'straight',
  'slight left',
  'left',
  'sharp left',
] as const;
export type ManeuverModifier = (typeof maneuverModifiers)[number];

export interface ManeuverKind {
  readonly type: ManeuverType;
  readonly modifier: ManeuverModifier;
}

export interface Maneuver {
  readonly type: ManeuverType;
  /** Absent at the departure, and at an arrival straight ahead. */
  readonly modifier?: ManeuverModifier;
  /** Number of the exit, at roundabouts; absent when the route ends on the roundabout. */
  readonly exit?: number;
  /** Compass degrees before and after. */
  readonly bearingBefore: number;
  readonly bearingAfter: number;
  readonly location: LatLng;
}

/** How a step is travelled. `pushing bike` is OSRM's name for a bicycle that is pushed. */
export type StepMode = 'driving' | 'cycling' | 'pushing bike' | 'walking' | 'ferry';
