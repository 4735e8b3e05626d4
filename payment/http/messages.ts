/** Details of refused requests about payments; `payment-problems.ts` has their kinds. */

export { badFields, badQuery } from '#platform/http/messages.js';
export const noOrder = 'No payment order has this id.';
export const noRefund = 'No refund has this id.';
export const noPayout = 'No payout has this id.';
export const noSchedule = 'No payout schedule has this number.';
export const ofWeekly = 'is required for weekly, and only there';
export const ofMonthly = 'is required for monthly, and only there';
export const noTimeZone = 'must be an IANA name such as Europe/Malta';
export const noFee = 'No application fee has this number.';
export const noToken = 'No payment has this token.';
export const noProvider = 'No provider of this name is configured.';
export const noDeadLetter = 'No dead letter has this id.';
export const singleHotels = 'Staff of single hotels have no access to payments.';
export const noSettlementFile = 'No settlement file has this number.';
export const sendsFiles = 'This provider sends settlement files. Upload them.';
export const dayNotOver = 'The day is not over.';
export const noSettlement = (reason: string) => `The provider gave no settlement: ${reason}.`;
export const noFinding = 'No finding or decision has this number.';
export const noDispute = 'No dispute of your payments has this id.';
export const deadlinePassed = 'The deadline of the dispute has passed.';
export const notOfType = (type: string) => `is not a file of the type ${type}`;
export const documentOfCard =
  'The text or the metadata of the document seems to contain a card number or a card code. Remove it ' +
  'there: a rectangle over it hides it, and leaves it in the file.';
export const notSearchable =
  'cannot be searched for card numbers: it is encrypted, damaged or too large; print it to a new PDF';
export const idUsed = (name: string) => `The ${name} is already in use.`;
export const refundable = (amount: string) => `${amount} can still be refunded.`;
export const unavailable = 'The payment service is not available.';

// The body of a new payment.
export const duplicateOrder = 'is used twice in this request';
export const severalCurrencies = 'must be the same for all orders of an event';
export const tooManyBytes = (most: number) => `has more than ${most} bytes`;
export const accountRequired =
  'is required when a service pays for a buyer, and must contain a letter or a digit';

export const capturedOtherwise = 'Its capture was requested with another amount.';
export const authorized = (amount: string) => `${amount} is authorized.`;

// Orders that are to be cancelled.
export const notCancelled = {
  paid: 'It is already charged. Refund it instead.',
  authorized: 'It is authorized. Void it instead.',
  processing: 'The provider is processing it. Read it again in a minute.',
} as const;
export const followedBy = (id: string) => `It has failed, and ${id} is in its place. Cancel that one.`;

// Saved cards.
export const noCard = 'You see no saved card with this id.';
export const buyerRequired = 'is required, because services save cards of many buyers';
export const onlyYourself = 'must be left out, because you see and erase only what is yours';
export const savedWithOneOrder =
  'needs an event with one payment order, because a card is saved with one seller';
export const savedPays = 'must be left out when a saved card pays';
export const needsSavedCard = 'needs saved_card_id';
export const onePageTakesCard = 'must be left out with one_page, whose page takes the card';
export const tooManyCards = (most: number) =>
  `The buyer has ${most} saved cards with this seller, and more are not possible. Delete one first.`;

// Requests of merchants.
export const sellerBusy = (limit: number) =>
  `At most ${limit} payment events of one caller for one seller are accepted in a minute.`;
export const noEndpoint = 'You have no such endpoint or event.';
export const knownUrl = 'You have an endpoint with this URL.';
export const tooManyEndpoints = (most: number) => `You have ${most} endpoints, and more are not possible.`;
export const eventOrTimes = 'give either event_id, or from and a later to';
export const noSellerAccount = 'You have no such seller account.';
export const nameOneAccount = 'is required, because you have several';
export const accountOfAnother = 'Another merchant reads this seller account. Remove it there first.';
export const tooManyAccounts = (most: number) => `A merchant has at most ${most} seller accounts.`;
export const noInstant = 'must be a moment that exists';
export const endsBeforeBegin = 'must be after from';
export const notBegun = 'must be before the end, and in the past';
export const monthOrTimes = 'give either month, or from and to';
export const noCurrency = 'must be a code of ISO 4217 in upper case, like EUR';
export const needsCurrency = 'needs a currency';
export const noCursor = 'must be the next of an earlier page';
export const usedAlone = 'cannot be combined with other filters';
export const entriesOf = (count: bigint, most: number) => `It has ${count} entries, and at most ${most} fit.`;
export const entriesBehind = 'The entries are being indexed.';
