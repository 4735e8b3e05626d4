/** German texts of the finance pages. */
import type { AuditAction } from '#schemas/http/finance-audit.js';
import type { TimelineKind } from '#schemas/http/finance-payments.js';
import { codes } from './finance-codes.de.js';

export const brand = 'Finanzen';
export const payments = 'Zahlungen';
export const balances = 'Salden';
export const mismatches = 'Abweichungen';
export const reviews = 'Prüfungen';
export const deadLetters = 'Aufgegeben';
export const disputes = 'Anfechtungen';
export const payouts = 'Auszahlungen';
export const noPayouts = 'Noch keine Auszahlungen. Sie erscheinen hier, sobald sie beantragt sind.';

export const signedInAs = 'Angemeldet als';
export const reason = 'Grund';
export const approve = 'Genehmigen';
export const deny = 'Ablehnen';

export const words = (code: string) => codes[code] ?? code.replaceAll('_', ' ');

export const percent = (share: number) => `${(share * 100).toFixed(4).replace('.', ',')} %`;
export const reconciled = (hasSeveralCurrencies: boolean) =>
  `allen Geldes sind abgestimmt${hasSeveralCurrencies ? ', in der Währung mit dem kleinsten Anteil' : ''}.`;
export const openWork = (operations: number, findings: number) =>
  `Nicht abgestimmte Vorgänge: ${operations}. Offene Abweichungen: ${findings}.`;
export const noFindings = 'Keine offenen Abweichungen.';
const classes: Readonly<Record<number, string>> = {
  2: 'Ursache bekannt, braucht eine Entscheidung',
  3: 'Ursache unbekannt, muss untersucht werden',
};
export const findingClass = (number: number) => classes[number] ?? `Klasse ${number}`;
export const providerAmount = 'Betrag des Anbieters';
export const ourAmount = 'Unser Betrag';
export const paymentOrder = 'Zahlung';
export const operation = 'Vorgang';
export const settlementLine = 'Zeile der Abrechnung';
export const foundAt = 'Gefunden';

export const actions = { adjust: 'hat gebucht', dismiss: 'hat verworfen', reverse: 'hat storniert' } as const;
export const entry = (amount: string, credit: string, debit: string) => `${amount} von ${credit} an ${debit}`;
export const together = (entry: string) => `Wird gebucht zusammen mit ${entry}.`;
export const quoted = (text: string) => `„${text}“`;
export const approvedBy = 'genehmigt von';
export const approveAsSecond = 'Als zweite Person genehmigen';
export const reverse = 'Stornieren';
export const reversed = 'Storniert auf der Finanzseite';
export const debit = 'Soll';
export const credit = 'Haben';
export const amountIn = (currency: string) => `Betrag in ${currency}`;
export const postEntry = 'Buchen';
export const dismiss = 'Verwerfen';

const because = (text: string) => (text === '' ? '' : `: ${quoted(text)}`);
export const payoutReview = (amount: string, seller: string, by: string, why: string) =>
  `Auszahlung von ${amount} an ${seller}, beantragt von ${by}${because(why)}`;
export const scheduleReview = (
  seller: string,
  interval: string,
  minimum: string,
  delayDays: number,
  by: string,
  why: string,
) =>
  `Auszahlungen an ${seller}: ${interval}, ab ${minimum}, nach ${delayDays} Tagen, ` +
  `beantragt von ${by}${because(why)}`;
export const refundReview = (amount: string, order: string, by: string, why: string) =>
  `Erstattung von ${amount} für Zahlung ${order}, beantragt von ${by}${because(why)}`;
export const paymentReview = (
  amount: string,
  buyer: string,
  by: string,
  why: string,
  proposedBy: string | null,
) => {
  const first = proposedBy === null ? '' : `. Genehmigt von ${proposedBy}, braucht eine zweite Person`;
  return `Zahlung von ${amount} durch ${buyer}, eingereicht von ${by}: ${words(why)}${first}`;
};
export const noReviews = 'Nichts zu prüfen.';

export const letterKinds = { payment: 'Zahlung', refund: 'Erstattung' } as const;
export const noDeadLetters = 'Nichts wurde aufgegeben.';
export const newest = 'Neueste';
export const older = 'Ältere';
export const attempts = (many: number) => `${many} ${many === 1 ? 'Versuch' : 'Versuche'}`;
export const retriedBy = (person: string, at: string) => `Erneut versucht von ${person}, ${at}`;
export const retry = 'Erneut versuchen';
export const retriedNow = 'Es wird jetzt erneut versucht.';
export const closedLettersToo = 'Auch erneut Versuchtes zeigen, und Fehler, um die sich niemand kümmern muss';
export const newOrder = 'Neue Zahlung an ihrer Stelle:';
export const failedOrder = (amount: string, seller: string, status: string, failure: string | null) => {
  const cause = failure === null ? '' : `, ${words(failure)}`;
  return `${amount} an ${seller}: ${status}${cause}. Das ist endgültig.`;
};

export const noDisputes = 'Keine offenen Anfechtungen.';
export const disputed = (amount: string, seller: string, order: string, why: string | null) =>
  `${amount} von ${seller}, Zahlung ${order}${why === null ? '' : `: ${words(why)}`}`;
export const deadline = (at: string | null) =>
  at === null ? 'Der Anbieter nennt keine Frist.' : `Antworten Sie vor ${at}.`;
export const deadlineMissed = (at: string | null) =>
  `Die Frist wurde versäumt${at === null ? '' : `: ${at}`}.`;
const answerStates = {
  waiting: 'wird gesendet',
  sent: 'wurde gesendet',
  refused: 'wurde zurückgewiesen',
} as const;
export const answered = (
  kind: 'evidence' | 'acceptance',
  state: keyof typeof answerStates,
  by: string,
  failure: string | null,
) => {
  const what = kind === 'evidence' ? 'Die Antwort' : 'Die Anerkennung';
  return `${what} von ${by} ${answerStates[state]}${failure === null ? '' : `: ${words(failure)}`}.`;
};
export const documents = (purposes: readonly string[]) => `Unterlagen: ${purposes.join(', ')}`;
export const explanation = 'Erklärung, oder der Grund zum Nachgeben (höchstens 200 Zeichen)';
export const sendEvidence = 'Als Beleg senden';
export const giveUp = 'Nachgeben';

export const sellerAccount = 'Konto des Verkäufers';
export const requestPayout = 'Auszahlung beantragen';
export const refresh = 'Aktualisieren';
export const payoutColumns = ['Verkäufer', 'Betrag', 'Stand', 'Beantragt von', 'Geprüft von', 'Angelegt'];

export const anyId = 'Zahlung, Erstattung, Referenz';
export const buyer = 'Konto des Käufers';
export const status = 'Stand';
export const anyStatus = 'Jeder Stand';
export const statuses = {
  NOT_STARTED: 'nicht begonnen',
  EXECUTING: 'läuft',
  SUCCESS: 'bezahlt',
  FAILED: 'fehlgeschlagen',
} as const;
export const currency = 'Währung';
export const amountFrom = 'Betrag von';
export const amountTo = 'Betrag bis';
export const day = { from: 'Ab Tag', to: 'Bis Tag' } as const;
export const search = 'Suchen';
export const clear = 'Leeren';
export const paymentColumns = [
  'Angelegt',
  'Betrag',
  'Stand',
  'Verkäufer',
  'Käufer',
  'Erstattet',
  'Angefochten',
];
export const noPaymentsYet = 'Noch keine Zahlungen. Sie erscheinen hier, sobald eine eingereicht ist.';
export const noPayments = 'Keine Zahlung passt.';
export const noPaymentsSoFar = 'Keine der neuesten Zahlungen passt. Ältere sind noch nicht durchsucht.';

export const paymentOf = (amount: string, seller: string) => `${amount} an ${seller}`;
export const allPayments = '← Alle Zahlungen';
export const checkout = 'Kasse';
export const provider = 'Anbieter';
export const reference = 'Referenz des Anbieters';
export const created = 'Angelegt';
export const captured = 'Belastet';
export const refunded = 'Erstattet';
export const disputedAmount = 'Angefochten';
export const fee = 'Unsere Gebühr';
export const timeline = 'Verlauf';
export const olderLeftOut = 'Ältere Einträge werden nicht gezeigt.';
export const events: Readonly<Record<TimelineKind, string>> = {
  created: 'Eingereicht',
  status: 'Stand',
  webhook_received: 'Nachricht des Anbieters',
  risk_check: 'Risikoprüfung',
  refund_requested: 'Erstattung beantragt',
  refund_reviewed: 'Erstattung geprüft',
  refund_ended: 'Erstattung',
  dispute_opened: 'Anfechtung eröffnet',
  dispute_answered: 'Anfechtung beantwortet',
  dispute_missed: 'Frist der Anfechtung versäumt',
  dispute_closed: 'Anfechtung beendet',
  posted: 'Gebucht',
  mismatch_found: 'Abweichung gefunden',
  mismatch_decided: 'Abweichung entschieden',
  mismatch_approved: 'Entscheidung genehmigt',
  given_up: 'Nach mehreren Versuchen aufgegeben',
  retried: 'Erneut versucht',
};
export const states: Readonly<Record<string, string>> = {
  applied: 'übernommen',
  stale: 'nichts Neues',
  'unknown order': 'zu einer Zahlung, die wir nicht haben',
  'another provider': 'von einem anderen Anbieter',
  'of no interest': 'ohne Bedeutung',
  unreadable: 'unlesbar',
  EXECUTING: 'läuft',
  SUCCESS: 'gelungen',
  FAILED: 'fehlgeschlagen',
  WON: 'gewonnen',
  LOST: 'verloren',
  allow: 'erlaubt',
  review: 'zur Prüfung angehalten',
  block: 'gesperrt',
  proposed: 'von der ersten Person genehmigt',
  approved: 'genehmigt',
  denied: 'abgelehnt',
  adjust: 'gebucht',
  dismiss: 'verworfen',
  reverse: 'storniert',
};
export const parts: Readonly<Record<string, string>> = {
  'judged with the checkout': 'die Entscheidung über die Kasse',
  executor: 'das Zahlungsprogramm',
  resolver: 'die Nachfrage',
  rules: 'die Risikoregeln',
  risk: 'die Risikoregeln',
  webhook: 'eine Nachricht des Anbieters',
};
export const by = (who: string) => `durch ${who}`;

export const settlement = 'Abrechnung und Auszahlungen';
export const showSettlement = 'Abrechnung und Auszahlungen zeigen';
export const moreSettlement = 'Nicht alles wird gezeigt.';
export const settledColumns = [
  'Datei und Zeile',
  'Was',
  'Betrag',
  'Gebühr des Anbieters',
  'Auszahlung an uns',
];
export const lineKinds: Readonly<Record<string, string>> = {
  charge: 'Belastung',
  dispute: 'Anfechtung eröffnet',
};
export const notSettled = 'Noch in keiner Abrechnung.';
export const sellerPayoutColumns = ['Auszahlung an den Verkäufer', 'Betrag', 'Stand', 'Referenz', 'Angelegt'];
export const notPaidOut = 'Noch in keiner Auszahlung an den Verkäufer.';
export const entryPhases: Readonly<Record<string, string>> = {
  posted: 'Gebucht',
  pending: 'Vorgemerkt',
  post: 'Gebucht',
  void: 'Freigegeben',
};

export const balanceColumns = ['Konto', 'Art', 'Saldo', 'Vorgemerkt'];
export const accountTypes = {
  asset: 'Vermögen',
  liability: 'Schuld',
  revenue: 'Ertrag',
  expense: 'Aufwand',
} as const;
export const accountNames = {
  'cash-psp': 'Forderung an den Anbieter',
  'cash-bank': 'Bankkonto',
  disputed: 'In Anfechtungen einbehalten',
  'psp-fees-due': 'Fällige Gebühren des Anbieters',
  'psp-fees': 'Gebühren des Anbieters',
  commission: 'Provisionen',
  'settlement-difference': 'Abrechnungsdifferenzen',
  'psp-suspense': 'In Klärung',
  'psp-cut-off': 'Zwischen Abrechnungstagen',
  differences: 'Ausgebucht oder gefunden',
} as const;
export const sellers = (many: number) => `${many} Verkäufer`;
export const noBalances = 'Noch ist nichts gebucht.';
export const evenIn = (currency: string, total: string) =>
  `${currency}: Vermögen und Aufwand gleichen Schulden und Erträgen, ${total}.`;
export const unevenIn = (currency: string, difference: string) =>
  `${currency}: Soll und Haben weichen um ${difference} ab. Das darf nicht sein: prüfen Sie die Bücher.`;

export const audit = 'Prüfprotokoll';
export const auditWho = 'Nur von (Benutzername)';
export const noDeeds = 'Noch hat niemand etwas getan.';
export const auditColumns = ['Wann', 'Wer', 'Was', 'Betrag', 'Zahlung oder Verkäufer', 'Grund'];
export const deeds: Readonly<Record<AuditAction, string>> = {
  finding_decided: 'hat über eine Abweichung entschieden',
  finding_approved: 'hat eine Entscheidung genehmigt',
  refund_requested: 'hat eine Erstattung beantragt',
  refund_reviewed: 'hat eine Erstattung geprüft',
  payout_requested: 'hat eine Auszahlung beantragt',
  payout_reviewed: 'hat eine Auszahlung geprüft',
  schedule_requested: 'hat einen Auszahlungsplan beantragt',
  schedule_reviewed: 'hat einen Auszahlungsplan geprüft',
  schedule_stopped: 'hat einen Auszahlungsplan beendet',
  fee_requested: 'hat eine Gebühr beantragt',
  fee_reviewed: 'hat eine Gebühr geprüft',
  account_assigned: 'hat ein Verkäuferkonto einem Händler gegeben',
  account_removed: 'hat ein Verkäuferkonto einem Händler genommen',
  payment_reviewed: 'hat eine Zahlung geprüft',
  dead_letter_retried: 'hat Aufgegebenes erneut versucht',
  dispute_answered: 'hat eine Anfechtung beantwortet',
  document_added: 'hat einer Anfechtung ein Dokument beigelegt',
  late_file_accepted: 'hat eine verspätete Abrechnungsdatei angenommen',
};
