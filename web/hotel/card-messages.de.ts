/** German texts of saved cards. */

export const saveCard = 'Meine Karte für spätere Zahlungen an dieses Hotel speichern';
export const saveCardHint =
  'Der Zahlungsdienst speichert sie, nie wir oder das Hotel. Unter Gespeicherte Karten entfernen Sie sie.';

export const payWith = 'Bezahlen mit';
export const anotherCard = 'Eine andere Karte';
export const cardAndExpiry = (card: string, month: string) => `${card}, ${cardExpires(month)}`;
export const reserveAndPay = (card: string) => `Buchen und mit ${card} bezahlen`;

export const savedCards = 'Gespeicherte Karten';
export const savedCardsTitle = 'Meridian – gespeicherte Karten';
export const noSavedCards = 'Sie haben keine gespeicherten Karten.';
export const howToSaveCards = 'Wählen Sie beim Buchen „Meine Karte speichern“.';
export const cardName = (brand: string, last4: string) =>
  `${brand[0]!.toUpperCase()}${brand.slice(1)} mit der Endung ${last4}`;
export const cardExpires = (month: string) => `gültig bis ${month.slice(5)}/${month.slice(0, 4)}`;
export const cardIsOver = (month: string) => `abgelaufen ${month.slice(5)}/${month.slice(0, 4)}`;
export const cardPaysHotel = 'Für Zahlungen an';
export const cardPaysSeller = (seller: string) => `Für Zahlungen an ${seller}`;
export const olderCards = 'Ältere Karten zeigen';
export const removeCard = 'Entfernen';
export const removeCardOf = (card: string) => `${card} entfernen`;
export const confirmRemoveCard = 'Ja, entfernen';
export const keepCard = 'Karte behalten';
export const removingCard =
  'Auch der Zahlungsdienst löscht sie. Zahlungen, die noch nicht belastet sind, schlagen fehl.';
export const cardRemoved = (card: string) => `${card} wurde entfernt.`;
