/** Swedish texts of the finance pages. */
import type { AuditAction } from '#schemas/http/finance-audit.js';
import type { TimelineKind } from '#schemas/http/finance-payments.js';
import { codes } from './finance-codes.sv.js';

export const brand = 'Ekonomi';
export const payments = 'Betalningar';
export const balances = 'Saldon';
export const mismatches = 'Avvikelser';
export const reviews = 'Granskning';
export const deadLetters = 'Uppgivna';
export const disputes = 'Tvister';
export const payouts = 'Utbetalningar';
export const noPayouts = 'Inga utbetalningar än. De visas här så snart de har begärts.';

export const signedInAs = 'Inloggad som';
export const reason = 'Skäl';
export const approve = 'Godkänn';
export const deny = 'Neka';

export const words = (code: string) => codes[code] ?? code.replaceAll('_', ' ');

export const percent = (share: number) => `${(share * 100).toFixed(4).replace('.', ',')} %`;
export const reconciled = (hasSeveralCurrencies: boolean) =>
  `av alla pengar är avstämda${hasSeveralCurrencies ? ', i valutan med lägst andel' : ''}.`;
export const openWork = (operations: number, findings: number) =>
  `Ej avstämda händelser: ${operations}. Öppna avvikelser: ${findings}.`;
export const noFindings = 'Inga öppna avvikelser.';
const classes: Readonly<Record<number, string>> = {
  2: 'känd orsak, kräver ett beslut',
  3: 'okänd orsak, måste utredas',
};
export const findingClass = (number: number) => classes[number] ?? `klass ${number}`;
export const providerAmount = 'Leverantörens belopp';
export const ourAmount = 'Vårt belopp';
export const paymentOrder = 'Betalning';
export const operation = 'Händelse';
export const settlementLine = 'Rad i avräkningen';
export const foundAt = 'Hittad';

export const actions = { adjust: 'bokförde', dismiss: 'avfärdade', reverse: 'återtog' } as const;
export const entry = (amount: string, credit: string, debit: string) =>
  `${amount} från ${credit} till ${debit}`;
export const together = (entry: string) => `Bokförs tillsammans med ${entry}.`;
export const quoted = (text: string) => `”${text}”`;
export const approvedBy = 'godkänd av';
export const approveAsSecond = 'Godkänn som andra person';
export const reverse = 'Återta';
export const reversed = 'Återtagen på ekonomisidan';
export const debit = 'Debet';
export const credit = 'Kredit';
export const amountIn = (currency: string) => `Belopp i ${currency}`;
export const postEntry = 'Bokför';
export const dismiss = 'Avfärda';

const because = (text: string) => (text === '' ? '' : `: ${quoted(text)}`);
export const payoutReview = (amount: string, seller: string, by: string, why: string) =>
  `Utbetalning av ${amount} till ${seller}, begärd av ${by}${because(why)}`;
export const scheduleReview = (
  seller: string,
  interval: string,
  minimum: string,
  delayDays: number,
  by: string,
  why: string,
) =>
  `Utbetalningar till ${seller}: ${interval}, från ${minimum}, efter ${delayDays} dagar, ` +
  `begärda av ${by}${because(why)}`;
export const refundReview = (amount: string, order: string, by: string, why: string) =>
  `Återbetalning av ${amount} för betalning ${order}, begärd av ${by}${because(why)}`;
export const paymentReview = (
  amount: string,
  buyer: string,
  by: string,
  why: string,
  proposedBy: string | null,
) => {
  const first = proposedBy === null ? '' : `. Godkänd av ${proposedBy}, kräver en andra person`;
  return `Betalning av ${amount} från ${buyer}, lämnad av ${by}: ${words(why)}${first}`;
};
export const noReviews = 'Inget att granska.';

export const letterKinds = { payment: 'Betalning', refund: 'Återbetalning' } as const;
export const noDeadLetters = 'Inget är uppgivet.';
export const newest = 'Nyaste';
export const older = 'Äldre';
export const attempts = (many: number) => `${many} försök`;
export const retriedBy = (person: string, at: string) => `Försökt igen av ${person}, ${at}`;
export const retry = 'Försök igen';
export const retriedNow = 'Det försöks igen nu.';
export const closedLettersToo = 'Visa även det som försökts igen, och fel som ingen behöver åtgärda';
export const newOrder = 'Ny betalning i dess ställe:';
export const failedOrder = (amount: string, seller: string, status: string, failure: string | null) => {
  const cause = failure === null ? '' : `, ${words(failure)}`;
  return `${amount} till ${seller}: ${status}${cause}. Detta är slutgiltigt.`;
};

export const noDisputes = 'Inga öppna tvister.';
export const disputed = (amount: string, seller: string, order: string, why: string | null) =>
  `${amount} av ${seller}, betalning ${order}${why === null ? '' : `: ${words(why)}`}`;
export const deadline = (at: string | null) =>
  at === null ? 'Leverantören anger ingen tidsgräns.' : `Svara före ${at}.`;
export const deadlineMissed = (at: string | null) =>
  `Tidsgränsen har passerat${at === null ? '' : `: ${at}`}.`;
const answerStates = { waiting: 'skickas', sent: 'har skickats', refused: 'avvisades' } as const;
export const answered = (
  kind: 'evidence' | 'acceptance',
  state: keyof typeof answerStates,
  by: string,
  failure: string | null,
) => {
  const what = kind === 'evidence' ? 'Underlag' : 'Medgivande';
  return `${what} från ${by} ${answerStates[state]}${failure === null ? '' : `: ${words(failure)}`}.`;
};
export const documents = (purposes: readonly string[]) => `Handlingar: ${purposes.join(', ')}`;
export const explanation = 'Förklaring, eller skälet till att ge upp (högst 200 tecken)';
export const sendEvidence = 'Skicka som underlag';
export const giveUp = 'Ge upp';

export const sellerAccount = 'Säljarens konto';
export const requestPayout = 'Begär utbetalning';
export const refresh = 'Uppdatera';
export const payoutColumns = ['Säljare', 'Belopp', 'Läge', 'Begärd av', 'Granskad av', 'Skapad'];

export const anyId = 'Betalning, återbetalning, referens';
export const buyer = 'Köparens konto';
export const status = 'Läge';
export const anyStatus = 'Alla lägen';
export const statuses = {
  NOT_STARTED: 'inte påbörjad',
  EXECUTING: 'pågår',
  SUCCESS: 'betald',
  FAILED: 'misslyckad',
} as const;
export const currency = 'Valuta';
export const amountFrom = 'Belopp från';
export const amountTo = 'Belopp till';
export const day = { from: 'Från dag', to: 'Till dag' } as const;
export const search = 'Sök';
export const clear = 'Rensa';
export const paymentColumns = ['Skapad', 'Belopp', 'Läge', 'Säljare', 'Köpare', 'Återbetalt', 'Tvist'];
export const noPaymentsYet = 'Inga betalningar än. De visas här så snart någon lämnas.';
export const noPayments = 'Ingen betalning passar.';
export const noPaymentsSoFar = 'Ingen av de nyaste betalningarna passar. Äldre har inte genomsökts än.';

export const paymentOf = (amount: string, seller: string) => `${amount} till ${seller}`;
export const allPayments = '← Alla betalningar';
export const checkout = 'Kassa';
export const provider = 'Leverantör';
export const reference = 'Leverantörens referens';
export const created = 'Skapad';
export const captured = 'Debiterat';
export const refunded = 'Återbetalt';
export const disputedAmount = 'I tvist';
export const fee = 'Vår avgift';
export const timeline = 'Förlopp';
export const olderLeftOut = 'Äldre händelser visas inte.';
export const events: Readonly<Record<TimelineKind, string>> = {
  created: 'Lämnad',
  status: 'Läge',
  webhook_received: 'Meddelande från leverantören',
  risk_check: 'Riskkontroll',
  refund_requested: 'Återbetalning begärd',
  refund_reviewed: 'Återbetalning granskad',
  refund_ended: 'Återbetalning',
  dispute_opened: 'Tvist öppnad',
  dispute_answered: 'Tvist besvarad',
  dispute_missed: 'Tvistens tidsgräns passerad',
  dispute_closed: 'Tvist avslutad',
  posted: 'Bokförd',
  mismatch_found: 'Avvikelse hittad',
  mismatch_decided: 'Avvikelse avgjord',
  mismatch_approved: 'Beslut godkänt',
  given_up: 'Uppgiven efter flera försök',
  retried: 'Försökt igen',
};
export const states: Readonly<Record<string, string>> = {
  applied: 'bokförd',
  stale: 'inget nytt',
  'unknown order': 'om en betalning som vi inte har',
  'another provider': 'från en annan leverantör',
  'of no interest': 'utan betydelse',
  unreadable: 'oläsligt',
  EXECUTING: 'pågår',
  SUCCESS: 'lyckades',
  FAILED: 'misslyckades',
  WON: 'vunnen',
  LOST: 'förlorad',
  allow: 'tillåten',
  review: 'väntar på granskning',
  block: 'stoppad',
  proposed: 'godkänd av den första personen',
  approved: 'godkänd',
  denied: 'nekad',
  adjust: 'bokförd',
  dismiss: 'avfärdad',
  reverse: 'återtagen',
};
export const parts: Readonly<Record<string, string>> = {
  'judged with the checkout': 'beslutet om kassan',
  executor: 'betalningsprogrammet',
  resolver: 'efterfrågan',
  rules: 'riskreglerna',
  risk: 'riskreglerna',
  webhook: 'ett meddelande från leverantören',
};
export const by = (who: string) => `av ${who}`;

export const settlement = 'Avräkning och utbetalningar';
export const showSettlement = 'Visa avräkning och utbetalningar';
export const moreSettlement = 'Allt visas inte.';
export const settledColumns = [
  'Fil och rad',
  'Vad',
  'Belopp',
  'Leverantörens avgift',
  'Utbetalning till oss',
];
export const lineKinds: Readonly<Record<string, string>> = {
  charge: 'debitering',
  dispute: 'tvist öppnad',
};
export const notSettled = 'Finns inte i någon avräkning än.';
export const sellerPayoutColumns = ['Utbetalning till säljaren', 'Belopp', 'Läge', 'Referens', 'Skapad'];
export const notPaidOut = 'Finns inte i någon utbetalning till säljaren än.';
export const entryPhases: Readonly<Record<string, string>> = {
  posted: 'Bokförd',
  pending: 'Reserverad',
  post: 'Bokförd',
  void: 'Frigjord',
};

export const balanceColumns = ['Konto', 'Slag', 'Saldo', 'Reserverat'];
export const accountTypes = {
  asset: 'tillgång',
  liability: 'skuld',
  revenue: 'intäkt',
  expense: 'kostnad',
} as const;
export const accountNames = {
  'cash-psp': 'Fordran på leverantören',
  'cash-bank': 'Bankkonto',
  disputed: 'Innehållet i tvister',
  'psp-fees-due': 'Leverantörens avgifter att betala',
  'psp-fees': 'Leverantörens avgifter',
  commission: 'Provision',
  'settlement-difference': 'Avräkningsdifferenser',
  'psp-suspense': 'Under utredning',
  'psp-cut-off': 'Mellan avräkningsdagar',
  differences: 'Avskrivet eller funnet',
} as const;
export const sellers = (many: number) => `${many} säljare`;
export const noBalances = 'Inget har bokförts än.';
export const evenIn = (currency: string, total: string) =>
  `${currency}: tillgångar och kostnader är lika med skulder och intäkter, ${total}.`;
export const unevenIn = (currency: string, difference: string) =>
  `${currency}: debet och kredit skiljer sig med ${difference}. Det får inte hända: kontrollera bokföringen.`;

export const audit = 'Granskningslogg';
export const auditWho = 'Bara av (användarnamn)';
export const noDeeds = 'Ingen har gjort något än.';
export const auditColumns = ['När', 'Vem', 'Vad', 'Belopp', 'Betalning eller säljare', 'Skäl'];
export const deeds: Readonly<Record<AuditAction, string>> = {
  finding_decided: 'avgjorde en avvikelse',
  finding_approved: 'godkände ett beslut',
  refund_requested: 'begärde en återbetalning',
  refund_reviewed: 'granskade en återbetalning',
  payout_requested: 'begärde en utbetalning',
  payout_reviewed: 'granskade en utbetalning',
  schedule_requested: 'begärde en utbetalningsplan',
  schedule_reviewed: 'granskade en utbetalningsplan',
  schedule_stopped: 'avslutade en utbetalningsplan',
  fee_requested: 'begärde en avgift',
  fee_reviewed: 'granskade en avgift',
  account_assigned: 'gav ett säljarkonto till en handlare',
  account_removed: 'tog ett säljarkonto från en handlare',
  payment_reviewed: 'granskade en betalning',
  dead_letter_retried: 'försökte igen det uppgivna',
  dispute_answered: 'besvarade en tvist',
  document_added: 'lade en handling till en tvist',
  late_file_accepted: 'godtog en försenad avräkningsfil',
};
