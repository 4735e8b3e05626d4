import type { TurnProfile } from '#map-data/tiles/turn-profile.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';

/** How one mode reads the map. Data only: the readers in this folder know no mode. */
export interface Profile {
  readonly mode: TravelMode;
  /** Access keys, from the most specific to the most general; the first that says something decides. */
  readonly accessKeys: readonly string[];
  /**
   * km/h of a `highway` value without a speed of its own; a value that is not listed needs a permission that
   * names the mode or its kind of vehicle, which `access=yes` does not.
   */
  readonly classKph: Readonly<Record<string, number>>;
  /** km/h of a road that is open by an explicit tag only. */
  readonly permittedKph: number;
  /** `highway` values that stay closed whatever a tag says. */
  readonly neverOn: readonly string[];
  /** Tags that close a way whatever else is said. */
  readonly neverWith: Readonly<Record<string, readonly string[]>>;
  /** `highway` values that a pavement beside them opens. */
  readonly openBySidewalk: readonly string[];
  /** A ferry that names one of these and not this mode takes only those. */
  readonly ferryForOthers: readonly string[];
  /**
   * `maxspeed` counts, times this factor, because no driver keeps the limit all the way; 0: it does not
   * count.
   */
  readonly maxspeedFactor: number;
  /** km/h at most on a surface, tracktype or smoothness, and on a `service` road of a kind. */
  readonly surfaceKph: Readonly<Record<string, number>>;
  readonly tracktypeKph: Readonly<Record<string, number>>;
  readonly smoothnessKph: Readonly<Record<string, number>>;
  readonly serviceKph: Readonly<Record<string, number>>;
  /** km/h on a ferry that states no duration. */
  readonly ferryKph: number;
  /** Keys that say whether a toll is to be paid, most specific first; empty: this mode pays none. */
  readonly tollKeys: readonly string[];
  /** Whether `oneway=yes` binds this mode, and the keys that overrule it, most specific first. */
  readonly onewayBinds: boolean;
  readonly onewayKeys: readonly string[];
  /** `cycleway=opposite…` opens the other direction. */
  readonly cyclewayOpposite: boolean;
  /**
   * `barrier` values that this mode passes, unless an access tag forbids; `'all'` but those in `stoppedBy`.
   */
  readonly passesBarriers: readonly string[] | 'all';
  readonly stoppedBy: readonly string[];
  /** Kinds of vehicle that this mode is, most specific first: `restriction:<kind>`, `except=<kind>`. */
  readonly restrictedAs: readonly string[];
  /** A turn restriction that names no vehicle binds this mode. */
  readonly restrictionsBind: boolean;
  readonly turns: TurnProfile;
}
