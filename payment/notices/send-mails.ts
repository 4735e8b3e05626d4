import { type Mailer, MailRefused } from '#platform/mail/mailer.js';
import type { Sql } from '#platform/sql/sql.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { MailSettings } from '../settings/delivery-settings.js';
import { noticeLimits } from './limits.js';

export interface MailDeps {
  readonly sql: Sql;
  readonly mailer: Mailer;
  readonly nowMs: () => number;
  readonly logger: Logger;
  readonly settings: MailSettings;
}

interface Job extends Readonly<Record<string, unknown>> {
  readonly event_id: string;
  readonly payment_order_id: string;
  readonly subject: string;
  readonly attempts: number;
  readonly amount: string;
  readonly currency: string;
  readonly address: string | null;
}

/**
 * Sends waiting mails. One process claims each mail; a failed mail is retried at growing intervals. A letter
 * is dropped with its reason when its buyer has no address, was erased, or is refused permanently. Resolves
 * with whether there may be more.
 */
export async function sendMails(deps: MailDeps): Promise<boolean> {
  const jobs = await take(deps);
  for (const job of jobs) await sendOne(deps, job);
  return jobs.length === noticeLimits.mailsAtOnce;
}

/** Claiming a job moves its time ahead, so no transaction is open while the mail server works. */
async function take({ sql, nowMs, settings }: MailDeps): Promise<readonly Job[]> {
  const now = nowMs();
  const { rows } = await sql.query<Job>(
    `WITH due AS (
       SELECT event_id FROM payment_mail_jobs WHERE sent_at IS NULL AND given_up IS NULL AND next_attempt_at <= $1
       ORDER BY next_attempt_at LIMIT ${noticeLimits.mailsAtOnce} FOR UPDATE SKIP LOCKED
     ), taken AS (
       UPDATE payment_mail_jobs j SET attempts = attempts + 1, next_attempt_at = $2 FROM due WHERE j.event_id = due.event_id
       RETURNING j.event_id, j.payment_order_id, j.subject, j.attempts
     ) SELECT t.*, o.amount, o.currency, e.buyer_info::jsonb ->> 'email' AS address
       FROM taken t JOIN payment_orders o USING (payment_order_id) JOIN payment_events e USING (checkout_id)`,
    [new Date(now), new Date(now + settings.leaseMs)],
  );
  return rows;
}

async function sendOne(deps: MailDeps, job: Job): Promise<void> {
  if (job.address === null) return giveUp(deps, job, 'no address');
  const { attemptsMax, retryMs } = deps.settings;
  try {
    await deps.mailer.send({ id: job.event_id, to: job.address, ...letter(job) });
  } catch (error) {
    if (error instanceof MailRefused) return giveUp(deps, job, 'refused');
    if (job.attempts >= attemptsMax) return giveUp(deps, job, 'tried too often');
    deps.logger.warn('a mail could not be sent and comes again', { cause: (error as Error).message });
    const waitMs = retryMs * 2 ** (job.attempts - 1);
    await deps.sql.query('UPDATE payment_mail_jobs SET next_attempt_at = $2 WHERE event_id = $1', [
      job.event_id,
      new Date(deps.nowMs() + waitMs),
    ]);
    return;
  }
  await deps.sql.query('UPDATE payment_mail_jobs SET sent_at = $2 WHERE event_id = $1', [
    job.event_id,
    new Date(deps.nowMs()),
  ]);
}

async function giveUp({ sql, logger }: MailDeps, job: Job, reason: string): Promise<void> {
  logger.warn('a mail is given up', { paymentOrderId: job.payment_order_id, reason });
  await sql.query('UPDATE payment_mail_jobs SET given_up = $2 WHERE event_id = $1', [job.event_id, reason]);
}

function letter({ payment_order_id: id, subject: status, amount, currency }: Job) {
  const what = status === 'SUCCESS' ? 'is complete' : 'has failed; nothing was charged';
  return {
    subject: `Your payment of ${amount} ${currency}`,
    text: `Your payment ${id} of ${amount} ${currency} ${what}.\n`,
  };
}
