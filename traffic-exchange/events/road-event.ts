import type { LineReference } from '../openlr/line-reference.js';

/** What a feed says about a road, in the terms of no format. */
export interface RoadEvent {
  /** Unique and constant within the feed. */
  readonly id: string;
  readonly effect: RoadEffect;
  /** When it holds: in order of time, at least one. */
  readonly periods: readonly Period[];
  /** Roads that it is on; all of them. */
  readonly places: readonly EventPlace[];
  /** It is on the other direction of travel too. */
  readonly bothDirections: boolean;
  /** One sentence for people; may be empty. */
  readonly description: string;
}

export type RoadEffect = { readonly kind: 'closed' } | { readonly kind: 'slow'; readonly speedKph: number };

export interface Period {
  /** Unix milliseconds. */
  readonly startMs: number;
  /** Undefined: until the feed drops the event. */
  readonly endMs: number | undefined;
}

/** [lng, lat] in degrees. */
export type Position = readonly [lng: number, lat: number];

/** One road of an event, as many ways as the feed describes it; the first one that fits counts. */
export interface EventPlace {
  /** One for each direction. */
  readonly openlr?: readonly LineReference[];
  /** In the direction of travel, two positions or more. */
  readonly line?: readonly Position[];
  readonly point?: Position;
}

/** An event that changes no route here, and why. */
export interface SkippedEvent {
  readonly id: string;
  readonly reason: string;
}

export interface ReadFeed {
  readonly events: readonly RoadEvent[];
  readonly skipped: readonly SkippedEvent[];
}

/** The text is no feed of the format, or one that is too large. Nothing of it is used. */
export class InvalidFeed extends Error {
  override readonly name = 'InvalidFeed';
}

/** One event is not as the format has it, or changes no route here; the others are used. */
export class UnusableEvent extends Error {
  override readonly name = 'UnusableEvent';
}
