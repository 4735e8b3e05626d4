import type { LineReference } from '../openlr/line-reference.js';
import type { Position, RoadEffect } from './road-event.js';

/** An incident of the platform, as its feeds say it. */
export interface PublishedEvent {
  readonly id: string;
  readonly effect: RoadEffect;
  /** Found in the drives of many, or reported by an operator. */
  readonly source: 'operator' | 'detected';
  readonly startMs: number;
  readonly endMs: number;
  /** Empty where the road has no name. */
  readonly road: string;
  readonly description: string;
  /** At least one; a road that is closed in both directions has two. */
  readonly lines: readonly PublishedLine[];
}

/** Edges that follow one another, in one direction of travel. */
export interface PublishedLine {
  readonly coordinates: readonly Position[];
  /** Absent where OpenLR cannot say exactly these edges. */
  readonly openlr?: LineReference;
}

/** Of one edge now. */
export interface PublishedSpeed {
  readonly line: PublishedLine;
  readonly speedKph: number;
  /** Of the empty road. */
  readonly freeFlowKph: number;
}

/** Of the whole feed. */
export interface FeedHead {
  readonly publisher: string;
  /** Unix milliseconds. */
  readonly writtenMs: number;
}
