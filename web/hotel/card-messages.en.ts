/** Texts of saved cards, apart from others so that the staff desk loads none of them. */

export const saveCard = 'Save my card for later payments to this hotel';
export const saveCardHint =
  'The payment provider keeps it, never we or the hotel. You can remove it under Saved cards.';

export const payWith = 'Pay with';
export const anotherCard = 'Another card';
export const cardAndExpiry = (card: string, month: string) => `${card}, ${cardExpires(month)}`;
export const reserveAndPay = (card: string) => `Reserve and pay with ${card}`;

export const savedCards = 'Saved cards';
export const savedCardsTitle = 'Meridian – saved cards';
export const noSavedCards = 'You have no saved cards.';
export const howToSaveCards = 'Tick “Save my card” when you reserve.';
export const cardName = (brand: string, last4: string) =>
  `${brand[0]!.toUpperCase()}${brand.slice(1)} ending in ${last4}`;
export const cardExpires = (month: string) => `expires ${month.slice(5)}/${month.slice(0, 4)}`;
export const cardIsOver = (month: string) => `expired ${month.slice(5)}/${month.slice(0, 4)}`;
export const cardPaysHotel = 'For payments to';
export const cardPaysSeller = (seller: string) => `For payments to ${seller}`;
export const olderCards = 'Show older cards';
export const removeCard = 'Remove';
export const removeCardOf = (card: string) => `Remove ${card}`;
export const confirmRemoveCard = 'Yes, remove';
export const keepCard = 'Keep card';
export const removingCard = 'The payment provider deletes it too. Payments that are not charged yet fail.';
export const cardRemoved = (card: string) => `${card} was removed.`;
