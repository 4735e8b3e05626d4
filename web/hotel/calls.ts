import type { getReservationPayment } from '#schemas/http/bookings.js';
import type { DevelopmentSession } from '#schemas/http/development.js';
import type { getReservationCalendar, getReservationReceipt } from '#schemas/http/hotel-documents.js';
import type { getHotelPlaces } from '#schemas/http/hotel-places.js';
import type { listReservations } from '#schemas/http/hotel-reservations.js';
import { ask, problemSentence, type Request, RequestFailed } from '../http/ask.js';
import { keptByBrowser } from '../http/kept.js';
import { sessionPath } from '../http/paths.js';
import { messages } from './messages.js';

// Literal types of the contracts, so that every address matches its contract and the bundle contains no
// schema.
export const placesPath: (typeof getHotelPlaces)['path'] = '/v1/hotel-places';
export const reservationsPath: (typeof listReservations)['path'] = '/v1/reservations';
const paymentPath: (typeof getReservationPayment)['path'] = '/v1/reservations/{id}/payment';

export const paymentPathOf = (id: string): string => paymentPath.replace('{id}', encodeURIComponent(id));

type Scope = 'customer' | 'desk';
const renewBeforeMs = 60_000;
const sessions = new Map<Scope, DevelopmentSession>();

/** The identity of this browser: stored, because the return from the payment provider loads a new page. */
function visitor(scope: Scope): string {
  if (scope === 'desk') return 'demo-staff';
  const known = keptByBrowser.get('meridian-guest');
  if (known !== null) return known;
  const made = `demo-${crypto.randomUUID()}`;
  keptByBrowser.set('meridian-guest', made);
  return made;
}

async function tokenOf(scope: Scope): Promise<string> {
  const known = sessions.get(scope);
  if (known !== undefined && Date.parse(known.expires_at) - Date.now() > renewBeforeMs) return known.token;
  const session = await ask<DevelopmentSession>(sessionPath, {
    method: 'POST',
    body: { sub: visitor(scope), scope },
  });
  if (session === null) throw new RequestFailed(204, messages.noToken);
  sessions.set(scope, session);
  return session.token;
}

/**
 * Sends a request as a guest or as staff; repeats it with a fresh token when the server no longer accepts the
 * first.
 */
export async function askAs<Answer>(scope: Scope, path: string, request: Request = {}): Promise<Answer> {
  const once = async () => ask<Answer>(path, { ...request, token: await tokenOf(scope) });
  try {
    return (await once()) as Answer;
  } catch (cause) {
    if (!(cause instanceof RequestFailed)) throw cause;
    if (cause.status === 403 && scope === 'desk') throw new RequestFailed(403, messages.notAtDesk);
    if (cause.status !== 401) throw cause;
    sessions.delete(scope);
    return (await once()) as Answer;
  }
}

const documents = {
  receipt: '/v1/reservations/{id}/receipt',
  calendar: '/v1/reservations/{id}/calendar.ics',
} as const satisfies {
  readonly receipt: (typeof getReservationReceipt)['path'];
  readonly calendar: (typeof getReservationCalendar)['path'];
};

/** Saves a document of a reservation: a link could not send the token. */
export async function saveDocument(kind: keyof typeof documents, id: string, name: string): Promise<void> {
  const path = documents[kind].replace('{id}', encodeURIComponent(id));
  const response = await fetch(path, { headers: { authorization: `Bearer ${await tokenOf('customer')}` } });
  if (!response.ok) throw new RequestFailed(response.status, problemSentence(response.status, undefined));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
