import type { Incident, NewIncident } from '#schemas/http/incidents.js';
import type { Position } from '#schemas/http/shapes.js';
import { ask, RequestFailed } from '../http/ask.js';
import { incidentsPath } from '../http/paths.js';
import { poll } from '../http/poll.js';
import { operator } from '../sign-in/askers.js';
import { withToken } from '../sign-in/session.js';
import { app, say } from '../state/state.js';
import * as messages from './messages.js';

export interface Closure {
  readonly at: Position;
  readonly note: string;
  readonly expiresInS: number;
  readonly bothDirections: boolean;
  /** Closed for walking and bicycling, too. */
  readonly forAll: boolean;
}

let asked = 0;
let shown = 0;

/**
 * Requested every two seconds and after each closure: an answer is stale once a later request was answered.
 */
async function refresh(): Promise<void> {
  const mine = ++asked;
  const answer = await ask<{ incidents: Incident[] }>(incidentsPath);
  if (answer === null || mine < shown) return;
  shown = mine;
  // The same list again must not draw the whole map again.
  if (JSON.stringify(answer.incidents) === JSON.stringify(app.get().incidents)) return;
  app.set({ incidents: answer.incidents });
}

export function runIncidents(): void {
  poll(2_000, refresh);
}

/** Sends the operator's request to close a road and shows its outcome. Returns whether the road is closed. */
export async function closeRoad(closure: Closure): Promise<boolean> {
  const body: NewIncident = {
    kind: closure.forAll ? 'blocked' : 'closed',
    at: closure.at,
    both_directions: closure.bothDirections,
    expires_in_s: closure.expiresInS,
    ...(closure.note === '' ? {} : { note: closure.note }),
  };
  try {
    const incident = await withToken(operator, (token) =>
      ask<Incident>(incidentsPath, { method: 'POST', body, token }),
    );
    if (incident !== null) say(messages.isClosed(messages.roadName(incident.road)));
    await refresh().catch(() => {});
    return true;
  } catch (cause) {
    say((cause as Error).message, 'bad');
    return false;
  }
}

/** Ends an incident before it expires. An incident that has already ended is not an error. */
export async function openAgain(incident: Incident): Promise<void> {
  try {
    await withToken(operator, (token) =>
      ask(`${incidentsPath}/${encodeURIComponent(incident.incident_id)}`, { method: 'DELETE', token }),
    );
    say(messages.isOpenAgain(messages.roadName(incident.road)));
  } catch (cause) {
    if (cause instanceof RequestFailed && cause.status === 404)
      say(messages.wasOpen(messages.roadName(incident.road)));
    else say((cause as Error).message, 'bad');
  }
  await refresh().catch(() => {});
}
