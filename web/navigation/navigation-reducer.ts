import type { ServerFrame } from '#schemas/nav-stream.js';
import {
  idle,
  liveTrip,
  type NavigationEvent,
  type NavigationState,
  type NavigationStep,
  type Trip,
} from '../state/navigation-state.js';

const still = (state: NavigationState): NavigationStep => ({ state, send: [] });

function startFrame(trip: Trip): NavigationStep {
  return {
    state: { phase: 'starting', trip: { ...trip, navigationId: null, lastId: 0, unreachable: null } },
    send: [
      {
        type: 'start',
        origin: trip.position,
        destination: trip.destination,
        ...(trip.avoid.length === 0 ? {} : { avoid: [...trip.avoid] }),
        ...(trip.along.length === 0 ? {} : { along: [...trip.along] }),
      },
    ],
  };
}

function onFrame(state: NavigationState, frame: ServerFrame, now: number): NavigationStep {
  const trip = liveTrip(state);
  if (trip === null) return still(state);
  switch (frame.type) {
    case 'ready':
      if (trip.navigationId === null) return startFrame(trip);
      return {
        state: { phase: 'resuming', trip },
        // A resume without frames to replay has no answer; the pong after it confirms it.
        send: [{ type: 'resume', navigation_id: trip.navigationId, last_id: trip.lastId }, { type: 'ping' }],
      };
    case 'started':
      return still({
        phase: 'driving',
        trip: {
          ...{ ...trip, navigationId: frame.navigation_id, lastId: frame.id },
          ...{ route: frame.route, warnings: frame.warnings, unreachable: null },
        },
      });
    case 'reroute': {
      // A replay after a reconnect may repeat what has been handled; each id has its effect once.
      if (frame.navigation_id !== trip.navigationId || frame.id <= trip.lastId) return still(state);
      const reroute = {
        reason: frame.reason,
        evidence: frame.evidence,
        savesS: frame.saves_s,
        causeToPushMs: Math.max(0, now - frame.caused_at),
      };
      return still({
        phase: 'driving',
        trip: {
          ...{ ...trip, lastId: frame.id, route: frame.route, reroute, reroutes: trip.reroutes + 1 },
          // The route that was chosen is left: a fresh start takes the fastest.
          ...{ along: [], unreachable: null },
        },
      });
    }
    case 'unreachable':
      if (frame.navigation_id !== trip.navigationId || frame.id <= trip.lastId) return still(state);
      return still({ phase: 'driving', trip: { ...trip, lastId: frame.id, unreachable: frame.reason } });
    case 'ended':
      return frame.navigation_id === trip.navigationId ? still({ phase: 'arrived', trip }) : still(state);
    case 'error':
      // The server no longer knows the navigation: start again from the current position.
      if (state.phase === 'resuming' || frame.code === 'unknown-navigation') return startFrame(trip);
      if (state.phase === 'driving') return still(state);
      return still({ phase: 'failed', detail: frame.detail });
    case 'pong':
      // No error came between the resume and this answer, so the navigation is known.
      return still(state.phase === 'resuming' ? { phase: 'driving', trip } : state);
  }
}

/** The client's side of the navigation stream as a pure function: the next state, and the frames to send. */
export function reduceNavigation(state: NavigationState, event: NavigationEvent): NavigationStep {
  const trip = liveTrip(state);
  switch (event.type) {
    case 'asked':
      return still({
        phase: 'connecting',
        trip: {
          destination: event.destination,
          avoid: event.avoid ?? [],
          along: event.along ?? [],
          position: event.origin,
          navigationId: null,
          lastId: 0,
          route: null,
          warnings: [],
          reroute: null,
          reroutes: 0,
          unreachable: null,
        },
      });
    case 'opened':
      return { state, send: trip === null ? [] : [{ type: 'hello', token: event.token }] };
    case 'lost':
      return still(trip === null ? state : { phase: 'waiting', trip });
    case 'retrying':
      return still(trip === null ? state : { phase: 'connecting', trip });
    case 'frame':
      return onFrame(state, event.frame, event.now);
    case 'moved': {
      if (trip === null) return still(state);
      const next = { ...trip, position: event.position };
      const moved = { ...state, trip: next } as NavigationState;
      const listening = state.phase === 'driving' || state.phase === 'resuming';
      if (!listening || trip.navigationId === null) return still(moved);
      const { lat, lng } = event.position;
      return {
        state: moved,
        send: [{ type: 'position', navigation_id: trip.navigationId, lat, lng, timestamp: event.now }],
      };
    }
    case 'arrived':
    case 'stopped': {
      const state: NavigationState =
        event.type === 'arrived' && trip !== null ? { phase: 'arrived', trip } : idle;
      const end = trip?.navigationId;
      return { state, send: end ? [{ type: 'end', navigation_id: end }] : [] };
    }
  }
}
