import type { Avoidance, NavStep } from '#schemas/http/nav.js';
import type { Position } from '#schemas/http/shapes.js';
import type { ClientFrame, RouteBody, ServerFrame } from '#schemas/nav-stream.js';

export interface Reroute {
  readonly reason: string;
  readonly evidence: string;
  readonly savesS: number | null;
  /** From the acceptance of the point that triggered the change to the arrival of the frame here. */
  readonly causeToPushMs: number;
}

/** The steps of a driven route, with the metres from its start at which each begins. */
export interface Guidance {
  /** Of the route that the steps belong to. */
  readonly polyline: string;
  readonly steps: readonly NavStep[];
  readonly beginsM: readonly number[];
}

export interface Trip {
  readonly destination: Position;
  readonly avoid: readonly Avoidance[];
  /** Points of the route that was chosen among alternatives; empty: the fastest is wanted. */
  readonly along: readonly Position[];
  /** Where a fresh start would begin: the origin, later the last position that was sent. */
  readonly position: Position;
  readonly navigationId: string | null;
  /** Last frame id handled; the server counts from 1 within each navigation. */
  readonly lastId: number;
  readonly route: RouteBody | null;
  /** Such as how far from the destination the route ends. */
  readonly warnings: readonly string[];
  readonly reroute: Reroute | null;
  readonly reroutes: number;
  /** Why no route leads to the destination now; null if one does. The route is then the last one. */
  readonly unreachable: string | null;
}

export type NavigationState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'connecting' | 'waiting' | 'starting' | 'resuming' | 'driving'; readonly trip: Trip }
  | { readonly phase: 'arrived'; readonly trip: Trip }
  | { readonly phase: 'failed'; readonly detail: string };

export type NavigationEvent =
  | {
      readonly type: 'asked';
      readonly origin: Position;
      readonly destination: Position;
      readonly avoid?: readonly Avoidance[];
      readonly along?: readonly Position[];
    }
  | { readonly type: 'opened'; readonly token: string }
  | { readonly type: 'lost' }
  | { readonly type: 'retrying' }
  | { readonly type: 'frame'; readonly frame: ServerFrame; readonly now: number }
  | { readonly type: 'moved'; readonly position: Position; readonly now: number }
  | { readonly type: 'arrived' }
  | { readonly type: 'stopped' };

export interface NavigationStep {
  readonly state: NavigationState;
  /** Frames to send, in order. */
  readonly send: readonly ClientFrame[];
}

export const idle: NavigationState = { phase: 'idle' };

/** The trip that continues after a lost connection, or null. */
export function liveTrip(state: NavigationState): Trip | null {
  return state.phase === 'idle' || state.phase === 'failed' || state.phase === 'arrived' ? null : state.trip;
}

/** The trip with its route, while it is driven or has just ended. */
export function shownTrip(state: NavigationState): Trip | null {
  return state.phase === 'idle' || state.phase === 'failed' ? null : state.trip;
}

/** A finished or failed navigation is removed; an active one stays. */
export function stopWhenOver(state: NavigationState): NavigationState {
  return liveTrip(state) === null ? idle : state;
}
