import type { TurnProfile } from '#map-data/tiles/turn-profile.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import type { Vehicle } from '#routing-engine/network/vehicle.js';
import type { Riding } from './riding.js';

/** The rules of one mode. Data only: the readers in this folder do not depend on the mode. */
export interface Profile {
  readonly mode: TravelMode;
  /** Access keys, from the most specific to the most general; the first with a known value decides. */
  readonly accessKeys: readonly string[];
  /**
   * km/h of a `highway` value without a speed of its own; an unlisted value needs an explicit permission for
   * the mode or its kind of vehicle; `access=yes` is not enough.
   */
  readonly classKph: Readonly<Record<string, number>>;
  /** km/h of a road that is open by an explicit tag only. */
  readonly permittedKph: number;
  /** `highway` values that stay closed whatever a tag says. */
  readonly neverOn: readonly string[];
  /** Tags that close a way unless a tag for the mode or its kind of vehicle opens it. */
  readonly unusualWith: Readonly<Record<string, readonly string[]>>;
  /** Tags that close a way whatever other tags say. */
  readonly neverWith: Readonly<Record<string, readonly string[]>>;
  /** `highway` values that are open if they have a pavement. */
  readonly openBySidewalk: readonly string[];
  /** A way with a cycle lane or track is open. */
  readonly openByCycleway: boolean;
  /** A ferry with one of these keys and not this mode carries only those. */
  readonly ferryForOthers: readonly string[];
  /**
   * `maxspeed` counts, times this factor, because no driver keeps the limit all the way; `cap`: it only
   * slows down; 0: it does not count.
   */
  readonly maxspeedFactor: number | 'cap';
  /** Limits for this kind of vehicle only, such as `maxspeed:hgv`. */
  readonly maxspeedKeys: readonly string[];
  /** km/h that the vehicle does not exceed, whatever the limit. */
  readonly topKph: number;
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
  /** Absent: limits of size and weight do not bind. `isAsked`: each route may have another vehicle. */
  readonly vehicle?: { readonly usual: Vehicle; readonly isAsked: boolean };
  /** km/h of a vehicle that is pushed where only walking is legal; absent: it is not. */
  readonly pushing?: { readonly kph: number; readonly stepsKph: number };
  readonly riding?: Riding;
  readonly turns: TurnProfile;
}
