/** Swedish texts of saved cards. */

export const saveCard = 'Spara mitt kort för senare betalningar till hotellet';
export const saveCardHint =
  'Betaltjänsten sparar det, aldrig vi eller hotellet. Du kan ta bort det under Sparade kort.';

export const payWith = 'Betala med';
export const anotherCard = 'Ett annat kort';
export const cardAndExpiry = (card: string, month: string) => `${card}, ${cardExpires(month)}`;
export const reserveAndPay = (card: string) => `Boka och betala med ${card}`;

export const savedCards = 'Sparade kort';
export const savedCardsTitle = 'Meridian – sparade kort';
export const noSavedCards = 'Du har inga sparade kort.';
export const howToSaveCards = 'Kryssa i ”Spara mitt kort” när du bokar.';
export const cardName = (brand: string, last4: string) =>
  `${brand[0]!.toUpperCase()}${brand.slice(1)} som slutar på ${last4}`;
export const cardExpires = (month: string) => `gäller till ${month.slice(5)}/${month.slice(0, 4)}`;
export const cardIsOver = (month: string) => `gick ut ${month.slice(5)}/${month.slice(0, 4)}`;
export const cardPaysHotel = 'För betalningar till';
export const cardPaysSeller = (seller: string) => `För betalningar till ${seller}`;
export const olderCards = 'Visa äldre kort';
export const removeCard = 'Ta bort';
export const removeCardOf = (card: string) => `Ta bort ${card}`;
export const confirmRemoveCard = 'Ja, ta bort';
export const keepCard = 'Behåll kortet';
export const removingCard = 'Betaltjänsten tar också bort det. Betalningar som inte är dragna misslyckas.';
export const cardRemoved = (card: string) => `${card} är borttaget.`;
