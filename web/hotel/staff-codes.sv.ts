/** Swedish words for the codes that the server sends to the staff pages. */
import type { AuditedAction, AuditedOutcome, OrdinaryReason } from '#schemas/hotel-actions.js';
import type { ReceiptFailure } from '#schemas/receipt-failures.js';
import type { ProblemFacts, ProblemTexts } from '../http/ask.js';
import { dayText } from './texts.js';

const actionTexts: Readonly<Record<AuditedAction, string>> = {
  'set-rates': 'Sätt priser',
  'set-rate-plan': 'Spara prisplan',
  'delete-rate-plan': 'Ta bort prisplan',
  'set-adult-prices': 'Sätt priser per person',
  'update-ari': 'Uppdatera priser och tillgång',
  'set-channel-feed': 'Ställ in kanalflödet',
  'add-channel-endpoint': 'Lägg till kanal',
  'set-channel-endpoint': 'Ändra kanal',
  'delete-channel-endpoint': 'Ta bort kanal',
  'rotate-channel-secret': 'Byt kanalens hemlighet',
  'send-channel-snapshot': 'Skicka allt till kanalen',
  'create-group-block': 'Skapa grupp',
  'change-group-block': 'Ändra grupp',
  'release-group-block': 'Släpp gruppens rum',
  'set-house-rules': 'Ändra husets regler',
  'set-room-status': 'Ändra rummets status',
  cancel: 'Avboka',
  'cancel-payment': 'Avbryt betalningen',
  refund: 'Återbetala',
  'assign-rooms': 'Tilldela rum',
  'check-in': 'Checka in',
  'check-out': 'Checka ut',
  'no-show': 'Markera som utebliven',
  'change-stay': 'Ändra vistelsen',
  'open-pay-link': 'Be gästen betala tillägg',
  'set-guest': 'Ändra gäst',
  'erase-guest': 'Radera gästens uppgifter',
  'post-extra': 'Bokför tillägg',
  'void-extra': 'Stryk tillägg',
  'issue-invoice': 'Ställ ut faktura',
};
const outcomeTexts: Readonly<Record<AuditedOutcome, string>> = {
  applied: 'genomfört',
  assigned: 'tilldelat',
  'change-waits': 'en ändring väntar på betalning',
  changed: 'ändrat',
  'changed-before': 'redan ändrat av någon annan',
  'changes-price': 'ändrar priset',
  circle: 'hänvisar till sig själv',
  'closed-to-arrival': 'ingen ankomst den dagen',
  'closed-to-departure': 'ingen avresa den dagen',
  'code-used': 'koden är upptagen',
  created: 'skapat',
  dearer: 'dyrare än betalat',
  deleted: 'borttaget',
  differs: 'finns med andra uppgifter',
  done: 'klart',
  erased: 'raderat',
  full: 'fullt',
  'in-use': 'används',
  insufficient: 'inte tillräckligt många rum',
  invalid: 'ogiltigt',
  issued: 'utställt',
  'maximum-stay': 'för många nätter',
  'minimum-stay': 'för få nätter',
  'needs-second': 'kräver en andra person',
  'no-free-rooms': 'inga lediga rum',
  'no-price-left': 'priset blir noll',
  'no-rate': 'inget pris',
  'not-bookable': 'säljs inte',
  'nothing-open': 'inget att betala',
  opened: 'öppnat',
  past: 'i det förflutna',
  posted: 'bokfört',
  quoted: 'beräknat',
  refused: 'nekat',
  released: 'släppt',
  repeated: 'redan gjort',
  saved: 'sparat',
  'stay-bounds': 'minsta vistelse över högsta',
  'stop-sell': 'säljs inte nu',
  'to-pay': 'väntar på betalning',
  'too-many': 'för många',
  'too-many-adults': 'för många vuxna',
  'too-many-blocks': 'för många grupper',
  'too-many-guests': 'för många gäster',
  unchanged: 'oförändrat',
  unknown: 'finns inte',
  'unknown-base': 'grundplanen finns inte',
  'unknown-plan': 'prisplanen finns inte',
  'unknown-rate-plan': 'prisplanen finns inte',
  'unknown-room-type': 'rumstypen finns inte',
  'wrong-amount': 'fel belopp',
};
const reasonTexts: Readonly<Record<OrdinaryReason, string>> = {
  'by staff': 'av personalen',
  'front desk': 'receptionen',
  housekeeping: 'städning',
  'not arrived by the cut-off of the hotel': 'kom inte före hotellets tidsgräns',
  rates: 'priser',
};
const textOf = (texts: Readonly<Record<string, string>>, code: string): string | undefined => texts[code];
export const action = (code: string) => textOf(actionTexts, code) ?? code.replaceAll('-', ' ');
export const outcome = (code: string) => textOf(outcomeTexts, code) ?? code.replaceAll('-', ' ');
export const givenReason = (given: string) => textOf(reasonTexts, given) ?? given;

const receiptFailures: Readonly<Record<ReceiptFailure, string>> = {
  'the guest has no address': 'gästen har ingen adress',
  'the mail server refused the address': 'e-postservern nekade adressen',
  'the mail server did not take it': 'e-postservern tog inte emot det',
  'it waited too long': 'det väntade för länge',
};
/** Undefined: another version of the server wrote it. */
export const receiptFailure = (failure: string) => textOf(receiptFailures, failure);

/** The sentence ends behind it, and a short month may end with a full stop, too. */
const on = ({ dates = [] }: ProblemFacts) =>
  dates.length === 0 ? '' : `: ${dates.map(dayText).join(', ').replace(/\.$/, '')}`;
const stay = ({ nights }: ProblemFacts, bound: string) =>
  nights === undefined
    ? 'Vistelsen har fel längd.'
    : `Stanna ${bound} ${nights} ${nights === 1 ? 'natt' : 'nätter'}.`;
export const problems: ProblemTexts = {
  'malformed-request': 'Sidan skickade något som servern inte förstår. Ladda om den.',
  'body-too-large': 'Det är för mycket på en gång.',
  'internal-error': 'Servern misslyckades. Försök igen.',
  overloaded: 'Servern är upptagen. Försök igen om en stund.',
  unavailable: 'Databasen svarar inte. Försök igen om en stund.',
  'insufficient-inventory': (facts) => `Inte tillräckligt många rum är lediga${on(facts)}.`,
  'not-bookable': (facts) => `Dessa nätter säljs inte${on(facts)}.`,
  'no-rate': (facts) => `Dessa nätter har inget pris ännu${on(facts)}.`,
  'stop-sell': (facts) => `Hotellet säljer inte dessa nätter nu${on(facts)}.`,
  'closed-to-arrival': (facts) => `Ingen ankomst den dagen${on(facts)}.`,
  'closed-to-departure': (facts) => `Ingen avresa den dagen${on(facts)}.`,
  'minimum-stay': (facts) => stay(facts, 'minst'),
  'maximum-stay': (facts) => stay(facts, 'högst'),
  'unknown-rate-plan': 'Rumstypen har inte den prisplanen.',
  'no-price-left': (facts) => `En härledd prisplan skulle kosta noll eller mindre${on(facts)}.`,
  'room-not-changeable': 'Rummet kan inte få den statusen nu.',
  'room-changed-before': 'Någon annan har ändrat rummet. Se efter igen.',
  'stay-changed-before': 'Någon annan har ändrat vistelsen eller dess rum.',
  'group-block-differs': 'Gruppen finns redan med andra uppgifter.',
  'group-block-closed': 'Gruppens rum är redan släppta. Skapa en ny grupp.',
  'group-code-used': 'En annan grupp på hotellet har koden. Välj en annan.',
  'too-many-group-blocks': 'Hotellet har högsta antalet öppna grupper. Släpp en som inte behövs.',
  'too-many-adults': 'Rumstypen har inte plats för så många vuxna.',
  'guests-change-price': 'Ett annat antal gäster ändrar priset, eftersom hotellet har en skatt per person.',
  'stay-in-the-past': 'Vistelsen börjar i det förflutna.',
  'reservation-not-paid': 'Bokningen är inte betald.',
  'reservation-not-changeable': 'Bokningens status tillåter inte det nu.',
  'refund-needs-second-person':
    'Ett så stort belopp måste ekonomiavdelningen begära, och en andra person godkänner det.',
  'no-free-rooms': 'Rummen är inte lediga alla nätter. Flytta en annan bokning först.',
  'dates-cost-more': 'Vistelsen kostar mer än vad som är betalat. Visa priset för gästen igen.',
  'nothing-open': 'Alla tillägg är betalda.',
};
