/** German words for the codes that the server sends to the staff pages. */
import type { AuditedAction, AuditedOutcome, OrdinaryReason } from '#schemas/hotel-actions.js';
import type { ReceiptFailure } from '#schemas/receipt-failures.js';
import type { ProblemFacts, ProblemTexts } from '../http/ask.js';
import { dayText } from './texts.js';

const actionTexts: Readonly<Record<AuditedAction, string>> = {
  'set-rates': 'Preise festlegen',
  'set-rate-plan': 'Preisplan speichern',
  'delete-rate-plan': 'Preisplan löschen',
  'set-adult-prices': 'Preise nach Personen festlegen',
  'update-ari': 'Preise und Verfügbarkeit ändern',
  'set-channel-feed': 'Kanalmeldungen einstellen',
  'add-channel-endpoint': 'Kanal anlegen',
  'set-channel-endpoint': 'Kanal ändern',
  'delete-channel-endpoint': 'Kanal löschen',
  'rotate-channel-secret': 'Geheimnis des Kanals wechseln',
  'send-channel-snapshot': 'Alles an den Kanal senden',
  'create-group-block': 'Gruppe anlegen',
  'change-group-block': 'Gruppe ändern',
  'release-group-block': 'Zimmer der Gruppe freigeben',
  'set-house-rules': 'Hausregeln ändern',
  'set-room-status': 'Zimmerstatus ändern',
  cancel: 'Stornieren',
  'cancel-payment': 'Zahlung abbrechen',
  refund: 'Erstatten',
  'assign-rooms': 'Zimmer zuweisen',
  'check-in': 'Einchecken',
  'check-out': 'Auschecken',
  'no-show': 'Nichtanreise melden',
  'change-stay': 'Aufenthalt ändern',
  'open-pay-link': 'Zahlung der Extras anfordern',
  'set-guest': 'Gast ändern',
  'erase-guest': 'Daten des Gastes löschen',
  'post-extra': 'Extra buchen',
  'void-extra': 'Extra stornieren',
  'issue-invoice': 'Rechnung ausstellen',
};
const outcomeTexts: Readonly<Record<AuditedOutcome, string>> = {
  applied: 'übernommen',
  assigned: 'zugewiesen',
  'change-waits': 'eine Änderung wartet auf Zahlung',
  changed: 'geändert',
  'changed-before': 'schon von anderen geändert',
  'changes-price': 'ändert den Preis',
  circle: 'bezieht sich auf sich selbst',
  'closed-to-arrival': 'keine Anreise an diesem Tag',
  'closed-to-departure': 'keine Abreise an diesem Tag',
  'code-used': 'Code schon vergeben',
  created: 'angelegt',
  dearer: 'teurer als bezahlt',
  deleted: 'gelöscht',
  differs: 'besteht mit anderen Angaben',
  done: 'erledigt',
  erased: 'gelöscht',
  full: 'voll',
  'in-use': 'in Gebrauch',
  insufficient: 'nicht genug Zimmer',
  invalid: 'ungültig',
  issued: 'ausgestellt',
  'maximum-stay': 'zu viele Nächte',
  'minimum-stay': 'zu wenige Nächte',
  'needs-second': 'braucht eine zweite Person',
  'no-free-rooms': 'keine freien Zimmer',
  'no-price-left': 'der Preis wäre null',
  'no-rate': 'kein Preis',
  'not-bookable': 'nicht im Verkauf',
  'nothing-open': 'nichts offen',
  opened: 'geöffnet',
  past: 'in der Vergangenheit',
  posted: 'gebucht',
  quoted: 'berechnet',
  refused: 'abgelehnt',
  released: 'freigegeben',
  repeated: 'schon geschehen',
  saved: 'gespeichert',
  'stay-bounds': 'Mindestaufenthalt über dem höchsten',
  'stop-sell': 'zurzeit nicht im Verkauf',
  'to-pay': 'wartet auf Zahlung',
  'too-many': 'zu viele',
  'too-many-adults': 'zu viele Erwachsene',
  'too-many-blocks': 'zu viele Gruppen',
  'too-many-guests': 'zu viele Gäste',
  unchanged: 'unverändert',
  unknown: 'nicht vorhanden',
  'unknown-base': 'Grundplan nicht vorhanden',
  'unknown-plan': 'Preisplan nicht vorhanden',
  'unknown-rate-plan': 'Preisplan nicht vorhanden',
  'unknown-room-type': 'Zimmertyp nicht vorhanden',
  'wrong-amount': 'falscher Betrag',
};
const reasonTexts: Readonly<Record<OrdinaryReason, string>> = {
  'by staff': 'durch das Personal',
  'front desk': 'Empfang',
  housekeeping: 'Zimmerreinigung',
  'not arrived by the cut-off of the hotel': 'bis zur Frist des Hotels nicht angereist',
  rates: 'Preise',
};
const textOf = (texts: Readonly<Record<string, string>>, code: string): string | undefined => texts[code];
export const action = (code: string) => textOf(actionTexts, code) ?? code.replaceAll('-', ' ');
export const outcome = (code: string) => textOf(outcomeTexts, code) ?? code.replaceAll('-', ' ');
export const givenReason = (given: string) => textOf(reasonTexts, given) ?? given;

const receiptFailures: Readonly<Record<ReceiptFailure, string>> = {
  'the guest has no address': 'der Gast hat keine Adresse',
  'the mail server refused the address': 'der E-Mail-Server hat die Adresse abgelehnt',
  'the mail server did not take it': 'der E-Mail-Server hat ihn nicht angenommen',
  'it waited too long': 'er hat zu lange gewartet',
};
/** Undefined: another version of the server wrote it. */
export const receiptFailure = (failure: string) => textOf(receiptFailures, failure);

/** The sentence ends behind it, and a short month may end with a full stop, too. */
const on = ({ dates = [] }: ProblemFacts) =>
  dates.length === 0 ? '' : `: ${dates.map(dayText).join('; ').replace(/\.$/, '')}`;
const stay = ({ nights }: ProblemFacts, bound: string) =>
  nights === undefined
    ? 'Der Aufenthalt hat die falsche Länge.'
    : `Der Aufenthalt muss ${bound} ${nights} ${nights === 1 ? 'Nacht' : 'Nächte'} haben.`;
export const problems: ProblemTexts = {
  'malformed-request': 'Die Seite hat etwas gesendet, das der Server nicht versteht. Laden Sie sie neu.',
  'body-too-large': 'Das ist zu viel auf einmal.',
  'internal-error': 'Der Server ist gescheitert. Versuchen Sie es noch einmal.',
  overloaded: 'Der Server ist ausgelastet. Versuchen Sie es gleich noch einmal.',
  unavailable: 'Die Datenbank antwortet nicht. Versuchen Sie es gleich noch einmal.',
  'insufficient-inventory': (facts) => `Nicht genug Zimmer sind frei${on(facts)}.`,
  'not-bookable': (facts) => `Diese Nächte sind nicht im Verkauf${on(facts)}.`,
  'no-rate': (facts) => `Diese Nächte haben noch keinen Preis${on(facts)}.`,
  'stop-sell': (facts) => `Das Hotel verkauft diese Nächte zurzeit nicht${on(facts)}.`,
  'closed-to-arrival': (facts) => `Keine Anreise an diesem Tag${on(facts)}.`,
  'closed-to-departure': (facts) => `Keine Abreise an diesem Tag${on(facts)}.`,
  'minimum-stay': (facts) => stay(facts, 'mindestens'),
  'maximum-stay': (facts) => stay(facts, 'höchstens'),
  'unknown-rate-plan': 'Der Zimmertyp hat diesen Preisplan nicht.',
  'no-price-left': (facts) => `Ein abgeleiteter Preisplan würde null oder weniger kosten${on(facts)}.`,
  'room-not-changeable': 'Das Zimmer kann diesen Status jetzt nicht bekommen.',
  'room-changed-before': 'Jemand anders hat das Zimmer geändert. Sehen Sie es noch einmal an.',
  'stay-changed-before': 'Jemand anders hat diesen Aufenthalt oder seine Zimmer geändert.',
  'group-block-differs': 'Die Gruppe besteht schon mit anderen Angaben.',
  'group-block-closed': 'Die Zimmer der Gruppe sind schon freigegeben. Legen Sie eine neue Gruppe an.',
  'group-code-used': 'Eine andere Gruppe des Hotels hat diesen Code. Wählen Sie einen anderen.',
  'too-many-group-blocks': 'Mehr offene Gruppen kann das Hotel nicht haben. Geben Sie eine frei.',
  'too-many-adults': 'Der Zimmertyp hat keinen Platz für so viele Erwachsene.',
  'guests-change-price': 'Eine andere Zahl der Gäste ändert den Preis: das Hotel hat eine Steuer pro Person.',
  'stay-in-the-past': 'Der Aufenthalt beginnt in der Vergangenheit.',
  'reservation-not-paid': 'Die Buchung ist nicht bezahlt.',
  'reservation-not-changeable': 'Der Status der Buchung lässt das jetzt nicht zu.',
  'refund-needs-second-person':
    'Einen so hohen Betrag muss die Finanzabteilung beantragen, und eine zweite Person genehmigt ihn.',
  'no-free-rooms': 'Die Zimmer sind nicht in allen Nächten frei. Verlegen Sie zuerst eine andere Buchung.',
  'dates-cost-more': 'Der Aufenthalt kostet mehr als bezahlt. Zeigen Sie dem Gast den Preis noch einmal.',
  'nothing-open': 'Alle Extras sind bezahlt.',
};
