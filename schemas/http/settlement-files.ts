import { Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

const Instant = Type.String({ description: 'RFC 3339' });
const finance = { listener: 'internal', scopes: ['finance'], tag: 'finance' } as const;

/** A file may have this many bytes; a stated length of more digits is cut by the server. */
export const settlementFileBytesMax = 999_999_999;

const Report = Type.Object({
  file_no: Type.Integer({ description: 'Our number of the file.' }),
  file_id: Type.String({ description: "The provider's id of the file." }),
  provider: Type.String(),
  period_from: Instant,
  period_to: Instant,
  received_at: Type.String({ description: 'When it was first received. RFC 3339' }),
  lines: Type.Integer(),
  sha256: Type.String(),
  found: Type.Record(Type.String(), Type.Integer(), { description: 'Mismatches by kind.' }),
  adjusted: Type.Integer({ description: 'Mismatches that a standard entry has resolved.' }),
  queued: Type.Integer({ description: 'Mismatches that wait for a decision.' }),
  to_investigate: Type.Integer({ description: 'Mismatches whose cause is not known.' }),
});

const NewImport = Type.Object(
  {
    provider: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }),
    day: Type.String({ format: 'date', description: 'In UTC; it must be over.' }),
  },
  { additionalProperties: false },
);

export const postSettlementFile = {
  ...finance,
  operationId: 'postSettlementFile',
  method: 'POST',
  path: '/v1/finance/settlement-files',
  summary: 'Upload a settlement file and reconcile it',
  description:
    'The format is `docs/formats/settlement-file.md`, uncompressed. The file is stored completely or not ' +
    'at all. The same file again, even at the same time, has no further effect and returns the first ' +
    'report with `Idempotent-Replayed: true`, whenever it is sent. A new file must come within ' +
    'SETTLEMENT_DUE_HOURS after the end of its period (12 by default).',
  query: Type.Object({
    accept_late_because: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: '^ *[^\\u0000-\\u0020\\u007f][^\\u0000-\\u001f\\u007f]*$',
        description:
          'Store and reconcile the file although it is late, and why. Kept permanently in the audit log, ' +
          'with the person of the token. Without effect on a file that is not late or known.',
      }),
    ),
  }),
  body: {
    maxBytes: settlementFileBytesMax,
    contentTypes: ['text/csv', 'text/plain', 'application/octet-stream'],
    streamed: true,
  },
  responses: {
    200: { description: 'The file is known: its first report.', schema: Report },
    201: { description: 'Stored and compared with our records.', schema: Report },
    409: {
      description:
        'The file is late: its period ended SETTLEMENT_DUE_HOURS ago or earlier. Nothing was stored. ' +
        'Finance can accept it by `accept_late_because`.',
    },
    422: {
      description:
        'The file is truncated or damaged, its provider or currency is not one of SETTLEMENT_ACCOUNTS, or ' +
        'its id was used with other content. Nothing was stored.',
    },
    429: { description: 'Two other files are being received.' },
  },
} as const satisfies RouteContract;

export const postSettlementImport = {
  ...finance,
  operationId: 'postSettlementImport',
  method: 'POST',
  path: '/v1/finance/settlement-imports',
  summary: 'Ask a provider what it settled on a day, and reconcile it',
  description:
    'For providers that are asked by calls (`stripe`); others send files. It also happens by itself an ' +
    'hour after each day. A day is stored whole or not at all. The same day again returns the first ' +
    'report with `Idempotent-Replayed: true`. No day is late, because we choose when we ask.',
  body: { maxBytes: 1_024, contentTypes: ['application/json'], schema: NewImport },
  responses: {
    200: { description: 'The day is known: its first report.', schema: Report },
    201: { description: 'Stored and compared with our records.', schema: Report },
    404: { description: 'No provider of this name is configured.' },
    409: { description: 'The provider sends files, or the day is not over.' },
    422: {
      description:
        'The provider or a currency is not one of SETTLEMENT_ACCOUNTS, or the provider says something else ' +
        'than before about a known day. Nothing was stored.',
    },
    503: { description: 'The provider or the database does not answer. Nothing was stored.' },
  },
} as const satisfies RouteContract;

export const getSettlementFile = {
  ...finance,
  operationId: 'getSettlementFile',
  method: 'GET',
  path: '/v1/finance/settlement-files/{file_no}',
  summary: 'The report of a settlement file',
  params: Type.Object({ file_no: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) }),
  responses: {
    200: { description: 'Its report.', schema: Report },
    404: { description: 'No file has this number.' },
  },
} as const satisfies RouteContract;
