import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import {
  getMerchantAccounts,
  postMerchantAccount,
  postMerchantAccountRemoval,
} from '#schemas/http/merchant-accounts.js';
import { merchantLimits } from '../merchant/limits.js';
import { assignAccount, listAccounts, removeAccount } from '../merchant/merchant-accounts.js';
import type { PaymentService } from '../payment-service.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { paymentProblems } from './payment-problems.js';

/** Finance states which merchant a seller account belongs to. */
export const merchantAccountRoutes = ({ sql, submit }: PaymentService): readonly Route[] => [
  route(getMerchantAccounts, ({ query }) =>
    catchUnavailable(async () => {
      const limit = query.limit ?? merchantLimits.pageDefault;
      const found = await listAccounts(sql, { after: BigInt(query.after ?? 0), limit });
      const accounts = found.map((account) => ({
        seller_account: account.sellerAccount,
        merchant_id: account.merchantId,
        assigned_by: account.assignedBy,
        assigned_at: account.assignedAt.toISOString(),
        reason: account.reason,
      }));
      const next = found.length < limit ? null : found.at(-1)!.assignmentNo.toString();
      return { status: 200, body: { accounts, next } };
    }),
  ),
  route(postMerchantAccount, ({ body, identity }) =>
    catchUnavailable(async () => {
      const outcome = await assignAccount(sql, {
        merchantId: body.merchant_id,
        sellerAccount: body.seller_account,
        who: identity.userId,
        why: body.reason,
        now: new Date(submit.nowMs()),
        most: submit.settings.merchantAccountsMax,
      });
      switch (outcome) {
        case 'assigned':
          return { status: 201 };
        case 'repeated':
          return { status: 200 };
        case 'of another merchant':
          return problem(paymentProblems.accountAssigned, messages.accountOfAnother);
        case 'full':
          return problem(
            paymentProblems.accountAssigned,
            messages.tooManyAccounts(submit.settings.merchantAccountsMax),
          );
      }
    }),
  ),
  route(postMerchantAccountRemoval, ({ body, identity }) =>
    catchUnavailable(async () => {
      const removed = await removeAccount(sql, {
        sellerAccount: body.seller_account,
        who: identity.userId,
        why: body.reason,
        now: new Date(submit.nowMs()),
      });
      return removed ? { status: 204 } : problem(problems.notFound, messages.noSellerAccount);
    }),
  ),
];
