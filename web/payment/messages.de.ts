/** German texts of the checkout and of the payment status page. */

export const brand = 'Bezahlen';
export const checkout = 'Kasse';
export const payment = 'Zahlung';
export const hotels = 'Hotels';
export const loading = 'Wird geladen…';

export const buyerName = 'Ihr Name';
export const order = (number: number) => `Bestellung ${number}`;
export const sellerAccount = 'Konto des Verkäufers';
export const amountIn = (currency: string) => `Betrag in ${currency}`;
export const addOrder = 'Weitere Bestellung';
export const payByCard = 'Mit Karte bezahlen';
export const confirmAtBank = 'Bei Ihrer Bank bestätigen';
export const cardHint =
  'Sie geben Ihre Karte auf der Seite des Zahlungsdienstes ein; wir sehen die Nummer nie. In dieser ' +
  'Vorführung: 4242 4242 4242 4242, 4000 0000 0000 0002 für eine abgelehnte Karte, oder ' +
  '4000 0000 0000 3220 für eine, die Ihre Bank bestätigen lässt.';

export const pending = {
  review: 'Die Zahlung wird geprüft. Das kann einige Stunden dauern; Sie werden benachrichtigt.',
  buyer: 'Wartet auf Ihre Karte.',
  challenge: 'Ihre Bank bittet Sie, die Zahlung zu bestätigen.',
  processing: 'Ihre Bank bearbeitet die Zahlung.',
  capture: 'Ihre Karte ist geprüft. Sie wird später belastet.',
  unknown: 'Das Ergebnis wird beim Zahlungsdienst erfragt.',
} as const;
const reasons: Readonly<Record<string, string>> = {
  card_declined: 'die Karte wurde abgelehnt',
  insufficient_funds: 'die Karte ist nicht gedeckt',
  expired_card: 'die Karte ist abgelaufen',
  incorrect_number: 'die Kartennummer ist falsch',
  incorrect_cvc: 'die Prüfziffer ist falsch',
  address_mismatch: 'die Adresse ist nicht die der Bank',
  authentication_required: 'die Bank verlangt eine Bestätigung',
  unknown_card_token: 'die gespeicherte Karte gilt hier nicht',
  expired: 'die Zeit ist abgelaufen',
  voided: 'die Zahlung wurde abgebrochen',
  retries_exhausted: 'der Zahlungsdienst antwortet nicht',
};
export const reason = (code: string): string => reasons[code] ?? 'die Zahlung wurde abgelehnt';
export const declinedBefore = (why: string) => `Eine frühere Karte wurde abgelehnt: ${why}.`;
export const payRestByCard = 'Den Rest mit einer anderen Karte bezahlen';
export const starting = 'Die Zahlung beginnt.';
export const paid = 'Bezahlt.';
export const paidAndRefunded = (amount: string) => `Bezahlt. ${amount} wurden erstattet.`;
export const failed = (why: string) => `Zahlung fehlgeschlagen: ${why}.`;
export const booked = (inLedger: boolean, inWallet: boolean) =>
  (inLedger ? 'Gebucht' : 'Noch nicht gebucht') + (inWallet ? ', dem Verkäufer gutgeschrieben' : '');
export const nothingToPay = 'In diesem Tab läuft keine Zahlung.';
export const goToCheckout = 'Zur Kasse';
export const anotherPayment = 'Weitere Zahlung';
