/** Swedish texts of the checkout and of the payment status page. */

export const brand = 'Betala';
export const checkout = 'Kassa';
export const payment = 'Betalning';
export const hotels = 'Hotell';
export const loading = 'Hämtar…';

export const buyerName = 'Ditt namn';
export const order = (number: number) => `Beställning ${number}`;
export const sellerAccount = 'Säljarens konto';
export const amountIn = (currency: string) => `Belopp i ${currency}`;
export const addOrder = 'Lägg till en beställning';
export const payByCard = 'Betala med kort';
export const confirmAtBank = 'Bekräfta hos din bank';
export const cardHint =
  'Du anger kortet på betaltjänstens sida; vi ser aldrig numret. I den här demon: ' +
  '4242 4242 4242 4242, 4000 0000 0000 0002 för ett kort som nekas, eller 4000 0000 0000 3220 för ett ' +
  'som din bank ber dig bekräfta.';

export const pending = {
  review: 'Betalningen granskas. Det kan ta några timmar; du får besked.',
  buyer: 'Väntar på ditt kort.',
  challenge: 'Din bank ber dig bekräfta betalningen.',
  processing: 'Din bank behandlar betalningen.',
  capture: 'Kortet är godkänt. Det dras senare.',
  unknown: 'Resultatet hämtas från betaltjänsten.',
} as const;
const reasons: Readonly<Record<string, string>> = {
  card_declined: 'kortet nekades',
  insufficient_funds: 'kortet saknar täckning',
  expired_card: 'kortet har gått ut',
  incorrect_number: 'kortnumret är fel',
  incorrect_cvc: 'säkerhetskoden är fel',
  address_mismatch: 'adressen är inte den som banken har',
  authentication_required: 'banken vill ha en bekräftelse',
  unknown_card_token: 'det sparade kortet gäller inte',
  expired: 'tiden gick ut',
  voided: 'betalningen avbröts',
  retries_exhausted: 'betaltjänsten svarar inte',
};
export const reason = (code: string): string => reasons[code] ?? 'betalningen nekades';
export const declinedBefore = (why: string) => `Ett tidigare kort nekades: ${why}.`;
export const payRestByCard = 'Betala resten med ett annat kort';
export const starting = 'Betalningen startar.';
export const paid = 'Betalt.';
export const paidAndRefunded = (amount: string) => `Betalt. ${amount} återbetalades.`;
export const failed = (why: string) => `Betalningen misslyckades: ${why}.`;
export const booked = (inLedger: boolean, inWallet: boolean) =>
  (inLedger ? 'Bokfört' : 'Ännu inte bokfört') + (inWallet ? ', gottskrivet säljaren' : '');
export const nothingToPay = 'Ingen betalning pågår i den här fliken.';
export const goToCheckout = 'Till kassan';
export const anotherPayment = 'Gör en ny betalning';
