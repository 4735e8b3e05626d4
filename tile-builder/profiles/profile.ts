import type { TravelMode } from '#routing-engine/travel-mode.js';

/** How one mode reads the map. Data only: the readers in this folder know no mode. */
export interface Profile {
  readonly mode: TravelMode;
  /** Access keys, from the most specific to the most general; the first that says something decides. */
  readonly accessKeys: readonly string[];
  /** km/h of a `highway` value without a speed of its own; a value that is not listed needs an explicit permission. */
  readonly classKph: Readonly<Record<string, number>>;
  /** km/h of a road that is open by an explicit tag only. */
  readonly permittedKph: number;
  /** `highway` values that stay closed whatever a tag says. */
  readonly neverOn: readonly string[];
  /** Closed on `motorroad=yes`. */
  readonly avoidsMotorroads: boolean;
  /** `maxspeed` counts, times this factor, because nobody drives the limit all the way; 0: it does not count. */
  readonly maxspeedFactor: number;
  /** km/h at most on a surface, tracktype or smoothness. */
  readonly surfaceKph: Readonly<Record<string, number>>;
  readonly tracktypeKph: Readonly<Record<string, number>>;
  readonly smoothnessKph: Readonly<Record<string, number>>;
  /** km/h on a ferry that states no duration. */
  readonly ferryKph: number;
  /** Whether `oneway=yes` binds this mode, and the keys that overrule it, most specific first. */
  readonly onewayBinds: boolean;
  readonly onewayKeys: readonly string[];
  /** `cycleway=opposite…` opens the other direction. */
  readonly cyclewayOpposite: boolean;
  /** Outlines of areas are ways. */
  readonly followsAreas: boolean;
  /** `barrier` values that this mode passes, unless an access tag forbids; `'all'` but those in `stoppedBy`. */
  readonly passesBarriers: readonly string[] | 'all';
  readonly stoppedBy: readonly string[];
  /** Keys of turn restrictions that bind this mode; `except` values that free it. */
  readonly restrictionKeys: readonly string[];
  readonly exceptValues: readonly string[];
  readonly turns: TurnProfile;
}

/** Costs of turning, seconds. */
export interface TurnProfile {
  /** Of a full turn at a crossing; a straight way on costs nothing, angles between follow a sigmoid. */
  readonly turnS: number;
  /** How much dearer it is to turn across the oncoming traffic: 1 is symmetric. */
  readonly acrossBias: number;
  readonly uturnS: number;
  readonly signalS: number;
}
