import type { getReservationPayment } from '#schemas/http/bookings.js';
import type { getReservationCalendar, getReservationReceipt } from '#schemas/http/hotel-documents.js';
import type { getHotelPlaces } from '#schemas/http/hotel-places.js';
import type { listReservations } from '#schemas/http/hotel-reservations.js';
import { ask, problemSentence, type Request, RequestFailed } from '../http/ask.js';
import { keptByBrowser } from '../http/kept.js';
import { withToken } from '../sign-in/session.js';
import { messages } from './messages.js';

// Literal types of the contracts, so that every address matches its contract and the bundle contains no
// schema.
export const placesPath: (typeof getHotelPlaces)['path'] = '/v1/hotel-places';
export const reservationsPath: (typeof listReservations)['path'] = '/v1/reservations';
const paymentPath: (typeof getReservationPayment)['path'] = '/v1/reservations/{id}/payment';

export const paymentPathOf = (id: string): string => paymentPath.replace('{id}', encodeURIComponent(id));

type Scope = 'customer' | 'desk';

/** The identity of this browser: stored, because the return from the payment provider loads a new page. */
function visitor(scope: Scope): string {
  if (scope === 'desk') return 'demo-staff';
  const known = keptByBrowser.get('meridian-guest');
  if (known !== null) return known;
  const made = `demo-${crypto.randomUUID()}`;
  keptByBrowser.set('meridian-guest', made);
  return made;
}

/** Sends a request as a guest or as staff. */
export async function askAs<Answer>(scope: Scope, path: string, request: Request = {}): Promise<Answer> {
  const asker = { scope, sub: visitor(scope) };
  try {
    return (await withToken(asker, (token) => ask<Answer>(path, { ...request, token }))) as Answer;
  } catch (cause) {
    const isDenied = cause instanceof RequestFailed && cause.status === 403 && scope === 'desk';
    throw isDenied ? new RequestFailed(403, messages.notAtDesk) : cause;
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
  const response = await withToken({ scope: 'customer', sub: visitor('customer') }, async (token) => {
    const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
    if (answer.ok) return answer;
    throw new RequestFailed(answer.status, problemSentence(answer.status, undefined));
  });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
