import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
/** Only text that PostgreSQL stores unchanged. */
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const id = Type.String({ minLength: 1, maxLength: 64, pattern });
const params = Type.Object({ id });
const entryId = Type.String({ pattern: '^[\\x21-\\x7e]{1,64}$', description: 'Made by the client.' });
const reason = Type.String({ minLength: 1, maxLength: 500, pattern, description: 'For the audit log.' });
const amount = Type.String({
  description: 'Decimal string with all decimals of the currency; may be negative.',
});
const moment = Type.String({ description: 'RFC 3339.' });

const Charge = Type.Object(
  {
    id: Type.String({ description: 'The same in every answer.' }),
    kind: oneOf(['night', 'tax', 'extra', 'void', 'cancellation', 'no-show', 'reduction']),
    name: Type.String(),
    date: Type.Optional(Type.String({ description: 'Of a night.' })),
    amount,
  },
  closed,
);
const Tax = Type.Object({ name: Type.String(), amount }, closed);
const Payment = Type.Object(
  {
    id: Type.String(),
    paymentOrderID: Type.String(),
    kind: oneOf(['capture', 'refund', 'dispute']),
    status: oneOf(['done', 'pending']),
    at: moment,
    amount: Type.String({ description: 'What goes back to the guest is negative.' }),
  },
  closed,
);

export const FolioView = Type.Object(
  {
    reservationID: Type.String(),
    hotelID: Type.String(),
    status: Type.String(),
    currency: Type.String({ description: 'ISO 4217.' }),
    charges: Type.Array(Charge),
    taxes: Type.Array(Tax, { description: 'VAT that is a part of the charges.' }),
    payments: Type.Array(Payment),
    totals: Type.Object(
      {
        charges: Type.String({ description: 'The sum of charges.' }),
        payments: Type.String({ description: 'The sum of payments.' }),
        balance: Type.String({
          description: 'charges − payments: positive, the guest owes it; negative, the hotel does.',
        }),
      },
      closed,
    ),
  },
  closed,
);
export type FolioView = Static<typeof FolioView>;

const InvoiceView = Type.Object(
  {
    hotelID: Type.String(),
    number: Type.String({ description: 'From 1 in each hotel, without gaps.' }),
    kind: oneOf(['invoice', 'credit-note']),
    issuer: Type.Object({ name: Type.String(), address: Type.String() }, closed),
    issuedAt: moment,
    currency: Type.String(),
    lines: Type.Array(
      Type.Object({ name: Type.String(), date: Type.Optional(Type.String()), amount }, closed),
    ),
    taxes: Type.Array(Tax, { description: 'VAT that is a part of total.' }),
    net: amount,
    total: amount,
  },
  closed,
);
export const InvoicesView = Type.Object(
  { reservationID: Type.String(), invoices: Type.Array(InvoiceView) },
  closed,
);
export type InvoicesView = Static<typeof InvoicesView>;

const own = { listener: 'public', tag: 'reservations', scopes: ['customer'], params } as const;
const management = { listener: 'internal', tag: 'hotel management', scopes: ['desk'], params } as const;
const noReservation = { description: 'No reservation has this id.' };
const folio = {
  responses: { 200: { description: 'Computed at this moment.', schema: FolioView }, 404: noReservation },
};
const query = Type.Object(
  { format: Type.Optional(oneOf(['json', 'html'])) },
  { ...closed, description: 'html: a page to print.' },
);
const invoices = {
  query,
  responses: {
    200: { description: 'Oldest first. With format=html a page to print.', schema: InvoicesView },
    404: { description: 'No reservation has this id, or nothing was invoiced yet.' },
  },
};
const issuing = {
  description:
    'Issues what no invoice of the reservation has yet: the folio’s charges less those of earlier ' +
    'documents. If the charges became less, it is a credit note. Nothing is issued if nothing changed.',
  responses: {
    200: { description: 'All documents; no new one was needed.', schema: InvoicesView },
    201: { description: 'All documents, the new one last.', schema: InvoicesView },
    404: noReservation,
    409: { description: 'Nothing was paid yet.' },
  },
};

export const getFolio = {
  ...own,
  ...folio,
  operationId: 'getFolio',
  method: 'GET',
  path: '/v1/reservations/{id}/folio',
  summary: 'What one of your stays costs, and what was paid for it (extension)',
} as const satisfies RouteContract;

export const getInvoice = {
  ...own,
  ...invoices,
  operationId: 'getInvoice',
  method: 'GET',
  path: '/v1/reservations/{id}/invoice',
  summary: 'Invoices and credit notes of one of your stays (extension)',
} as const satisfies RouteContract;

export const postInvoice = {
  ...own,
  ...issuing,
  operationId: 'postInvoice',
  method: 'POST',
  path: '/v1/reservations/{id}/invoice',
  summary: 'Request the invoice of one of your stays (extension)',
} as const satisfies RouteContract;

export const getStaffFolio = {
  ...management,
  ...folio,
  operationId: 'getStaffFolio',
  method: 'GET',
  path: '/v1/staff/reservations/{id}/folio',
  summary: 'What a stay costs, and what was paid for it',
} as const satisfies RouteContract;

export const getStaffInvoice = {
  ...management,
  ...invoices,
  operationId: 'getStaffInvoice',
  method: 'GET',
  path: '/v1/staff/reservations/{id}/invoice',
  summary: 'Invoices and credit notes of a stay',
} as const satisfies RouteContract;

export const postStaffInvoice = {
  ...management,
  ...issuing,
  operationId: 'postStaffInvoice',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/invoice',
  summary: 'Issue the invoice of a stay, or a credit note',
  body: {
    maxBytes: 4_096,
    contentTypes: ['application/json'],
    schema: Type.Object({ reason: Type.Optional(reason) }, closed),
  },
} as const satisfies RouteContract;

const posted = {
  200: { description: 'The same entry was posted before. The current folio.', schema: FolioView },
  201: { description: 'Posted. The current folio.', schema: FolioView },
  404: { description: 'No reservation has this id, or its folio has no such extra.' },
};

export const postExtra = {
  ...management,
  operationId: 'postExtra',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/folio/extras',
  summary: 'Charge an extra, such as breakfast or a parking place',
  body: {
    maxBytes: 4_096,
    contentTypes: ['application/json'],
    schema: Type.Object(
      {
        entryID: entryId,
        name: Type.String({ minLength: 1, maxLength: 100, pattern, description: 'No name of a person.' }),
        amount: Type.String({
          pattern: '^\\d{1,12}(\\.\\d{1,4})?$',
          description: 'Positive decimal of the currency, with VAT.',
        }),
        vatPercent: Type.Optional(
          Type.String({
            pattern: '^(100(\\.0{1,2})?|[1-9]?\\d(\\.\\d{1,2})?)$',
            description: 'VAT that is included in amount. Default "0".',
          }),
        ),
        reason,
      },
      closed,
    ),
  },
  responses: {
    ...posted,
    409: { description: 'Nothing was paid yet, the folio is full, or the id belongs to another entry.' },
  },
} as const satisfies RouteContract;

export const postExtraVoid = {
  ...management,
  operationId: 'postExtraVoid',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/folio/extras/{entryId}/void',
  summary: 'Take an extra back; both lines stay in the folio',
  params: Type.Object({ id, entryId }),
  body: {
    maxBytes: 4_096,
    contentTypes: ['application/json'],
    schema: Type.Object({ reason }, closed),
  },
  responses: posted,
} as const satisfies RouteContract;

const PayLinkView = Type.Object(
  {
    reservationID: Type.String(),
    supplementID: Type.String(),
    amount: Type.String({ description: 'What is open of the extras.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    expiresAt: moment,
  },
  closed,
);

export type PayLinkView = Static<typeof PayLinkView>;

export const postPayLink = {
  ...management,
  operationId: 'postPayLink',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/folio/pay-link',
  summary: 'Ask the guest to pay the open extras',
  description:
    'The guest finds the page in GET /v1/reservations/{id}/payment, and the desk in ' +
    'GET /v1/staff/reservations/{id}/payment, some tenths of a second later. Extras that are posted or ' +
    'voided later need a new link; voiding ends this one. A repeated request returns the same link.',
  body: {
    maxBytes: 4_096,
    contentTypes: ['application/json'],
    schema: Type.Object({ reason: Type.Optional(reason) }, closed),
  },
  responses: {
    200: { description: 'The link that is open already.', schema: PayLinkView },
    201: { description: 'Opened.', schema: PayLinkView },
    404: noReservation,
    409: { description: 'Nothing is open, nothing was paid yet, or a change waits to be paid.' },
  },
} as const satisfies RouteContract;
