import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import {
  getSettlementFile,
  postSettlementFile,
  postSettlementImport,
} from '#schemas/http/settlement-files.js';
import type { PaymentService } from '../payment-service.js';
import { importSettlement } from '../reconciliation/import-settlement.js';
import {
  type Reconciled,
  type ReconciliationReport,
  reconcileSettlement,
  reportOf,
} from '../reconciliation/reconcile.js';
import { withSpooled } from '../reconciliation/with-spooled.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { paymentProblems } from './payment-problems.js';

/** Settlement files, and what a provider says when it is asked; `meridian ledger reconcile` reads a file. */
export const settlementRoutes = (service: PaymentService): readonly Route[] => {
  const { sql, settlements, uploadFolder, logger } = service;
  const { accounts } = settlements;
  const { settlements: settings, settlementDueAfterMs: dueAfterMs } = service.submit.settings;
  const { retryAfterS } = settings;
  let uploads = 0;
  return [
    route(postSettlementFile, async ({ body, identity, query }) => {
      if (uploads >= settings.uploadsMax) {
        await body.discard();
        return problem(paymentProblems.settlementsBusy, undefined, { retryAfterS });
      }
      uploads += 1;
      const source = `upload by ${identity.userId}`.slice(0, 200);
      const why = query.accept_late_because;
      try {
        // Received first, so that a slow client holds no transaction open.
        return await withSpooled(body, uploadFolder, (bytes) =>
          catchUnavailable(async () => {
            const outcome = await reconcileSettlement(sql, {
              source,
              bytes,
              now: new Date(service.submit.nowMs()),
              dueAfterMs,
              settings,
              ...(why === undefined ? {} : { acceptLate: { who: identity.userId, why } }),
              ...(accounts === undefined ? {} : { accounts }),
            });
            if (outcome.kind === 'refused') {
              const { reason, detail } = outcome;
              logger.error('a settlement file was refused', { source, reason, detail });
            }
            return answer(outcome);
          }),
        );
      } finally {
        uploads -= 1;
      }
    }),
    route(postSettlementImport, ({ body }) =>
      catchUnavailable(async () => {
        const outcome = await importSettlement(settlements, body.provider, body.day);
        switch (outcome.kind) {
          case 'unknown_provider':
            return problem(problems.notFound, messages.noProvider);
          case 'sends_files':
            return problem(paymentProblems.noSettlementImport, messages.sendsFiles);
          case 'not_over':
            return problem(paymentProblems.noSettlementImport, messages.dayNotOver);
          case 'unavailable':
            return problem(problems.unavailable, messages.noSettlement(outcome.reason), { retryAfterS });
          case 'refused':
          case 'reconciled':
            return answer(outcome);
        }
      }),
    ),
    route(getSettlementFile, ({ params }) =>
      catchUnavailable(async () => {
        const report = await reportOf(sql, params.file_no);
        return report === undefined
          ? problem(problems.notFound, messages.noSettlementFile)
          : { status: 200, body: reportJson(report) };
      }),
    ),
  ];
};

function answer(outcome: Reconciled): HttpAnswer {
  if (outcome.kind === 'refused')
    return problem(
      outcome.reason === 'late' ? paymentProblems.settlementLate : paymentProblems.settlementRefused,
      outcome.detail,
    );
  const { report, known } = outcome;
  return {
    status: known ? 200 : 201,
    headers: {
      location: `/v1/finance/settlement-files/${report.fileNo}`,
      ...(known ? { 'idempotent-replayed': 'true' } : {}),
    },
    body: reportJson(report),
  };
}

const reportJson = (report: ReconciliationReport) => ({
  file_no: report.fileNo,
  file_id: report.fileId,
  provider: report.provider,
  period_from: report.periodFrom.toISOString(),
  period_to: report.periodTo.toISOString(),
  received_at: report.receivedAt.toISOString(),
  lines: report.lines,
  sha256: report.sha256,
  found: { ...report.found },
  adjusted: report.adjusted,
  queued: report.queued,
  to_investigate: report.toInvestigate,
});
