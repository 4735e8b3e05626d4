import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Sql, SqlSession } from '#platform/sql/sql.js';
import * as contracts from '#schemas/http/hotel-folio.js';
import type { UserId } from '#schemas/units.js';
import { invoicePage, invoicePageHeaders } from '../folio/invoice-page.js';
import { issueInvoice, readInvoices } from '../folio/invoices.js';
import { openPayLink } from '../folio/pay-link.js';
import { type EntryOutcome, postExtra, voidExtra } from '../folio/post-extra.js';
import { paymentsOfReservation, type ReadPayments, readFolio } from '../folio/read-folio.js';
import type { Guests } from '../guests/guests.js';
import { minorOf } from '../hotels/money-text.js';
import { hotelLimits } from '../limits.js';
import { findReservation } from '../reservations/locked-reservation.js';
import type { Actor, Reservations } from '../reservations/reservations.js';
import { audited, type StaffAction } from '../staff/audited.js';
import { catchUnavailable } from './catch-unavailable.js';
import { folioView, invoicesView, payLinkView } from './folio-views.js';
import { hotelProblems } from './hotel-problems.js';
import * as messages from './messages.js';
import { noReservation, sentenceOf } from './reservation-routes.js';

export interface FolioRouteDeps {
  readonly sql: Sql;
  readonly reservations: Reservations;
  readonly guests: Guests;
  readonly now: () => Date;
  /** If payments are in the same database. */
  readonly readPayments?: ReadPayments;
}

const staff = { staff: true } as const;
const customer = ({ userId }: { readonly userId: string }): Actor => ({ userId: userId as UserId });
/** So that a sum of all entries is exact. */
const extraMinorEnd = 1_000_000_000_000n;

/** Folios and invoices: customers read their own, staff read all and post extras. */
export function folioRoutes(deps: FolioRouteDeps): readonly Route[] {
  const { sql, reservations, guests, now, readPayments = paymentsOfReservation } = deps;
  const inOneMoment = <Result>(work: (tx: SqlSession) => Promise<Result>) =>
    sql.transaction(work, { isolation: 'repeatable read', attempts: hotelLimits.attemptsMax });

  const showFolio = async (reservationId: string, actor: Actor, status = 200): Promise<HttpAnswer> => {
    const folio = await inOneMoment(async (tx) => {
      const found = await findReservation(tx, reservationId, actor);
      return found && readFolio(tx, found, readPayments);
    });
    if (folio === undefined) return noReservation();
    return { status, headers: { 'cache-control': 'no-store' }, body: folioView(folio) };
  };
  const showInvoices = async (id: string, actor: Actor, format: 'json' | 'html' = 'json') => {
    const found = await reservations.get(id, actor);
    if (found === undefined) return noReservation();
    const invoices = await readInvoices(sql, found.reservationId);
    if (invoices.length === 0) return problem(problems.notFound, messages.noInvoice);
    if (format === 'json')
      return {
        status: 200,
        headers: { 'cache-control': 'no-store' },
        body: invoicesView(found.reservationId, invoices),
      };
    return {
      status: 200,
      headers: invoicePageHeaders,
      contentType: 'text/html; charset=utf-8',
      body: invoicePage(invoices, found, await guests.get(found)),
    };
  };
  const issue = (reservationId: string, actor: Actor, by: string) =>
    inOneMoment((tx) => issueInvoice(tx, now(), { reservationId, actor, by, readPayments }));
  const issueAnswer = (outcome: Awaited<ReturnType<typeof issue>>, id: string): HttpAnswer => {
    if (outcome.kind === 'unknown') return noReservation();
    if (outcome.kind === 'refused')
      return problem(hotelProblems.notInvoiceable, sentenceOf(outcome.reservation));
    return {
      status: outcome.kind === 'issued' ? 201 : 200,
      headers: { 'cache-control': 'no-store' },
      body: invoicesView(id, outcome.invoices),
    };
  };
  const posting = async (action: StaffAction, work: (tx: SqlSession) => Promise<EntryOutcome>) => {
    const outcome = await audited(sql, now(), action, () => sql.transaction(work));
    switch (outcome.kind) {
      case 'posted':
        return showFolio(action.subject, staff, 201);
      case 'repeated':
        return showFolio(action.subject, staff);
      case 'unknown':
        return problem(problems.notFound, messages.noExtra);
      case 'refused':
        return problem(hotelProblems.notInvoiceable, sentenceOf(outcome.reservation));
      case 'full':
        return problem(hotelProblems.folioFull);
      case 'differs':
        return problem(hotelProblems.entryIdUsed);
    }
  };

  return [
    route(contracts.getFolio, ({ params, identity }) =>
      catchUnavailable(() => showFolio(params.id, customer(identity))),
    ),
    route(contracts.getInvoice, ({ params, query, identity }) =>
      catchUnavailable(() => showInvoices(params.id, customer(identity), query.format)),
    ),
    route(contracts.postInvoice, ({ params, identity }) =>
      catchUnavailable(async () =>
        issueAnswer(await issue(params.id, customer(identity), identity.userId), params.id),
      ),
    ),
    route(contracts.getStaffFolio, ({ params }) => catchUnavailable(() => showFolio(params.id, staff))),
    route(contracts.getStaffInvoice, ({ params, query }) =>
      catchUnavailable(() => showInvoices(params.id, staff, query.format)),
    ),
    route(contracts.postStaffInvoice, ({ params, body: { reason = messages.frontDesk }, identity }) =>
      catchUnavailable(async () => {
        const staffId = identity.userId;
        const action = { action: 'issue-invoice', subject: params.id, reason, staffId } as const;
        return issueAnswer(
          await audited(sql, now(), action, () => issue(params.id, staff, staffId)),
          params.id,
        );
      }),
    ),
    route(contracts.postExtra, ({ params, body, identity: { userId: staffId } }) =>
      catchUnavailable(async () => {
        const found = await reservations.get(params.id, staff);
        if (found === undefined) return noReservation();
        const { entryID, name, amount, vatPercent = '0', reason } = body;
        const amountMinor = minorOf(amount, found.currency);
        if (amountMinor === undefined || amountMinor >= extraMinorEnd)
          return problem(problems.invalid, messages.badFields, {
            errors: [{ pointer: '/amount', message: messages.positiveDecimal(found.currency) }],
          });
        const vatBasisPoints = Number(minorOf(vatPercent, 'EUR') ?? 0n);
        const detail = { entryID, name, amount, vatPercent };
        const action = { action: 'post-extra', subject: params.id, reason, staffId, detail } as const;
        const extra = { entryId: entryID, name, amountMinor, vatBasisPoints, staffId, reason };
        return posting(action, (tx) => postExtra(tx, now(), { reservationId: params.id, ...extra }));
      }),
    ),
    route(contracts.postPayLink, ({ params, body: { reason = messages.frontDesk }, identity }) =>
      catchUnavailable(async () => {
        const action = {
          action: 'open-pay-link',
          subject: params.id,
          reason,
          staffId: identity.userId,
        } as const;
        const outcome = await audited(sql, now(), action, () =>
          sql.transaction((tx) => openPayLink(tx, now(), params.id), { attempts: hotelLimits.attemptsMax }),
        );
        switch (outcome.kind) {
          case 'opened':
          case 'repeated':
            return { status: outcome.kind === 'opened' ? 201 : 200, body: payLinkView(outcome.reservation) };
          case 'unknown':
            return noReservation();
          case 'refused':
            return problem(hotelProblems.notInvoiceable, sentenceOf(outcome.reservation));
          case 'nothing-open':
            return problem(hotelProblems.nothingOpen);
          case 'change-waits':
            return problem(hotelProblems.changeWaits);
        }
      }),
    ),
    route(contracts.postExtraVoid, ({ params, body: { reason }, identity: { userId: staffId } }) =>
      catchUnavailable(() => {
        const { id: reservationId, entryId } = params;
        const detail = { entryID: entryId };
        const action = { action: 'void-extra', subject: reservationId, reason, staffId, detail } as const;
        return posting(action, (tx) => voidExtra(tx, now(), { reservationId, entryId, staffId, reason }));
      }),
    ),
  ];
}
