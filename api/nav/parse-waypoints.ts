import { waypointsMax } from '#schemas/http/nav.js';
import * as messages from './messages.js';
import type { Bounds } from './parse-place.js';
import { type RequestedPlace, requestedPlace } from './requested-place.js';

export interface RequestedWaypoint {
  readonly place: RequestedPlace;
  /** The route passes it without a stop. */
  readonly isVia: boolean;
}

export type WaypointsOutcome =
  | { readonly ok: true; readonly waypoints: readonly RequestedWaypoint[]; readonly optimize: boolean }
  | { readonly ok: false; readonly message: string };

const refuse = (message: string): WaypointsOutcome => ({ ok: false, message });

/** As in Google Directions: `via:57.7,11.9|Storgatan 5`, after `optimize:true|` if the order is free. */
export function parseWaypoints(text: string | undefined, coverage: Bounds): WaypointsOutcome {
  const words = text === undefined ? [] : text.split('|').map((word) => word.trim());
  const optimize = words[0] === 'optimize:true';
  if (optimize || words[0] === 'optimize:false') words.shift();
  if (text !== undefined && words.length === 0) return refuse(messages.emptyWaypoint(1));
  if (words.length > waypointsMax) return refuse(messages.tooManyWaypoints(waypointsMax));
  const waypoints: RequestedWaypoint[] = [];
  for (const [at, word] of words.entries()) {
    const isVia = word.startsWith('via:');
    const name = isVia ? word.slice('via:'.length).trim() : word;
    if (name === '') return refuse(messages.emptyWaypoint(at + 1));
    if (name.startsWith('enc:')) return refuse(messages.noEncodedWaypoints);
    if (name.startsWith('optimize:')) return refuse(messages.optimizeFirst);
    if (optimize && isVia) return refuse(messages.optimizeStops);
    const found = requestedPlace(name, coverage);
    if (!found.ok) return refuse(messages.wrongWaypoint(at + 1, found.message));
    waypoints.push({ place: found.place, isVia });
  }
  return { ok: true, waypoints, optimize };
}
