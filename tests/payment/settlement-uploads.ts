import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { financePaymentRoutes } from '#payment/http/finance-payment-routes.js';
import { settlementRoutes } from '#payment/http/settlement-routes.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import type { PaymentService } from '#payment/payment-service.js';
import {
  parseSettlementAccounts,
  type SettlementAccounts,
} from '#payment/reconciliation/settlement-accounts.js';
import { paymentDefaults } from '#payment/settings/settings.js';
import { openHttpTransport } from '#platform/http-transport/open-http-transport.js';
import type { Sql } from '#platform/sql/sql.js';
import { createLogger } from '#platform/telemetry/pino-logger.js';
import { fetchOrProblem } from '../http-problems.js';
import { startServer } from '../platform/http/start-server.js';
import { openLedgerDatabase } from './ledger-database.js';
import { plainTokens } from './orders-fixture.js';

export interface Answer {
  readonly status: number;
  readonly replayed: string | null;
  readonly body: Record<string, unknown>;
}

export interface SettlementUploads {
  readonly sql: Sql;
  readonly base: string;
  readonly logLines: readonly string[];
  /** Sends a file in pieces; `query` may begin with `?`. */
  upload(bytes: Uint8Array, who?: string, pieceBytes?: number, query?: string): Promise<Answer>;
  count(text: string, values?: readonly string[]): Promise<number>;
  /** Rejects if the ledger is wrong or an upload is left in its folder. */
  close(): Promise<void>;
}

/** The routes of settlement files and of the audit log, with the settings of production. */
export async function openSettlementUploads(
  accounts: string,
  nowMs: () => number,
): Promise<SettlementUploads> {
  const { sql, dispose } = await openLedgerDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'uploads-'));
  const logLines: string[] = [];
  const service = {
    sql,
    settlements: { accounts: parseSettlementAccounts(accounts) as SettlementAccounts },
    uploadFolder: folder,
    submit: { nowMs, settings: paymentDefaults },
    logger: createLogger({
      name: 'payment',
      level: 'info',
      stream: { write: (line: string) => void logLines.push(line) },
    }),
  } as unknown as PaymentService;
  const { server, base } = await startServer(openHttpTransport('auto').transport, {
    listener: 'internal',
    routes: [...settlementRoutes(service), ...financePaymentRoutes(service)],
    authenticator: plainTokens,
  });
  return {
    sql,
    base,
    logLines,
    async upload(bytes, who = 'finance.fay', pieceBytes = bytes.length, query = '') {
      const response = await fetchOrProblem(`${base}/v1/finance/settlement-files${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${who}`, 'content-type': 'text/csv' },
        body: new ReadableStream({
          start(controller) {
            for (let at = 0; at < bytes.length; at += pieceBytes)
              controller.enqueue(bytes.subarray(at, at + pieceBytes));
            controller.close();
          },
        }),
        duplex: 'half',
      } as RequestInit);
      return {
        status: response.status,
        replayed: response.headers.get('idempotent-replayed'),
        body: (await response.json()) as Record<string, unknown>,
      };
    },
    async count(text, values = []) {
      const { rows } = await sql.query<{ n: bigint }>(`SELECT count(*) AS n FROM ${text}`, values);
      return Number(rows[0]!.n);
    },
    async close() {
      server.close();
      expect(await readdir(folder)).toEqual([]);
      await rm(folder, { recursive: true });
      expect((await verifyLedger(sql)).faults).toEqual([]);
      await dispose();
    },
  };
}
