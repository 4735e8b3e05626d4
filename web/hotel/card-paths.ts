import type { putCardConsent, putSavedCard } from '#schemas/http/bookings.js';
import type { deleteSavedCard, getSavedCards } from '#schemas/http/saved-cards.js';

// Literal types of the contracts, as in calls.ts.
const cardConsentPath: (typeof putCardConsent)['path'] = '/v1/reservations/{id}/payment/card-consent';
const chosenCardPath: (typeof putSavedCard)['path'] = '/v1/reservations/{id}/payment/saved-card';
export const savedCardsPath: (typeof getSavedCards)['path'] = '/v1/saved-cards';
const savedCardPath: (typeof deleteSavedCard)['path'] = '/v1/saved-cards/{card_id}';

export const cardConsentPathOf = (id: string): string =>
  cardConsentPath.replace('{id}', encodeURIComponent(id));
export const chosenCardPathOf = (id: string): string =>
  chosenCardPath.replace('{id}', encodeURIComponent(id));
export const savedCardPathOf = (id: string): string =>
  savedCardPath.replace('{card_id}', encodeURIComponent(id));
