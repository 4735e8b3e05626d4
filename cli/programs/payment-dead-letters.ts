import { type DeadLetter, listDeadLetters, readDeadLetter } from '#payment/orders/dead-letters.js';
import { viewOrder } from '#payment/orders/payment-view.js';
import { redriveDeadLetter } from '#payment/orders/redrive-dead-letter.js';
import { readRefund } from '#payment/orders/refund.js';
import type { Config } from '#platform/config/settings.js';
import type { Sql } from '#platform/sql/sql.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { CommandFailed, exitCode } from '../exit.js';
import { openDatabase } from '../open/open-database.js';
import { linesTo } from '../print-lines.js';
import { readSettings } from '../read-settings.js';
import { paymentSettingsOf } from '../start/payment-settings-of.js';

export const listPaymentDeadLetters = (options: {
  readonly json?: boolean;
  readonly all?: boolean;
}): Promise<void> =>
  withSql(async (sql) => {
    const print = linesTo(process.stdout);
    for (let before: number | undefined; ; ) {
      const { letters, next } = await listDeadLetters(sql, options.all === true ? 'all' : 'open', before);
      for (const letter of letters)
        if (!(await print(options.json === true ? JSON.stringify(letter) : lineOf(letter)))) return;
      if (next === undefined) return;
      before = next;
    }
  });

export const showPaymentDeadLetter = (id: number): Promise<void> =>
  withSql(async (sql) => {
    const letter = await readDeadLetter(sql, id);
    if (letter === undefined) throw notThere(id);
    const orderId =
      letter.kind === 'payment'
        ? letter.subjectId
        : (await readRefund(sql, letter.subjectId))?.paymentOrderId;
    const order = orderId === undefined ? undefined : await viewOrder(sql, orderId);
    const { rows: history } = await sql.query(
      `SELECT from_status, to_status, cause, source, at FROM payment_order_history
       WHERE payment_order_id = $1 ORDER BY version`,
      [orderId ?? ''],
    );
    console.log(JSON.stringify({ ...letter, order, history }, null, 2));
  });

export const replayPaymentDeadLetter = (id: number, by: string): Promise<void> =>
  withSql(async (sql, config) => {
    const { redrivenMs } = paymentSettingsOf(config);
    const outcome = await redriveDeadLetter(sql, id, by, { nowMs: Date.now(), redrivenMs });
    switch (outcome) {
      case 'redriven':
        console.log(`${id} is retried now.`);
        return;
      case 'unknown':
        throw notThere(id);
      case 'redriven before':
        throw new CommandFailed(
          `${id} was retried already; \`meridian payment dlq show ${id}\` shows by whom.`,
        );
      case 'final':
        throw new CommandFailed(
          `${id} cannot be retried: its refund is final, or its order was cancelled or has its own retries.`,
        );
    }
  });

const notThere = (id: number): CommandFailed =>
  new CommandFailed(`There is no dead letter ${id}.`, exitCode.notFound);

const lineOf = ({ id, kind, subjectId, cause, attempts, at }: DeadLetter): string =>
  `${id}\t${at.toISOString()}\t${kind} ${subjectId}\t${cause}\tafter ${attempts} attempts`;

async function withSql(work: (sql: Sql, config: Config) => Promise<void>): Promise<void> {
  const config = readSettings();
  const sql = await openDatabase(config, silentLogger);
  try {
    await work(sql, config);
  } finally {
    await sql.close();
  }
}
