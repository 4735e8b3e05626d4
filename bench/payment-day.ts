import { setTimeout as delay } from 'node:timers/promises';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import { appendResult } from './append-result.js';
import { openPaymentWorld, paymentBody, postPayment } from './payment/payment-world.js';
import { processMappedMib, processResidentMib } from './process-cpu.js';

/**
 * P-005: 1,000,000 transactions a day are some ten a second. Does a program that gets `RATE` payments a
 * second for `MINUTES` keep up, keep its memory, and is all money accounted for in the end? At `RATE` 40 an
 * hour is four hours of such a day. Pages of the mapped event log, which grows, are not its memory: the
 * kernel drops them when it needs room.
 */
const minutes = Number(process.env['MINUTES'] ?? 10);
const rate = Number(process.env['RATE'] ?? 20);
const settledWithinMs = 60_000;
/** Of the mean of the last third to that of the second. */
const growthMax = 1.1;

const world = await openPaymentWorld({ settings: {}, roundEveryMs: 100, pspTimeoutMs: 10_000 });
const { sql } = world;
try {
  const program = await world.start();
  await world.control('POST', '/webhooks', { url: `${program.url}/v1/psp/webhooks` });
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const ownMib: number[] = [];
  const mappedMib: number[] = [];
  const answersMs: number[] = [];
  const failed: string[] = [];
  const open = new Set<Promise<void>>();
  let sent = 0;
  let sampled = 0;
  while (elapsedMs() < minutes * 60_000) {
    // Paced by the clock, not by the answers: after a delay, more requests are sent at once.
    for (const due = (elapsedMs() / 1_000) * rate; sent < due; sent += 1) {
      const at = performance.now();
      const answer = postPayment(program.url, paymentBody(sent))
        .then(({ status }) => {
          if (status >= 300) failed.push(`answered with ${status}`);
          answersMs.push(performance.now() - at);
        })
        .catch((error: Error) => void failed.push(error.message))
        .finally(() => open.delete(answer));
      open.add(answer);
    }
    if (elapsedMs() > sampled * 5_000) {
      const mapped = processMappedMib(program.process.pid!);
      ownMib.push(processResidentMib(program.process.pid!) - mapped);
      mappedMib.push(mapped);
      sampled += 1;
    }
    await delay(20);
  }
  await Promise.all(open);
  const waiting = async () =>
    (
      await sql.query<{ n: bigint }>(
        `SELECT (SELECT count(*) FROM payment_events WHERE NOT is_payment_done)
           + (SELECT count(*) FROM payment_outbox WHERE sent_at IS NULL) AS n`,
      )
    ).rows[0]!.n;
  const endedAt = performance.now();
  while ((await waiting()) > 0n && performance.now() - endedAt < settledWithinMs) await delay(100);
  const unsettled = Number(await waiting());
  const settledAfterMs = Math.round(performance.now() - endedAt);
  const proof = await proveMoney(sql);
  const { faultsTotal, transfers } = await verifyLedger(sql);
  const mean = (values: readonly number[]) =>
    Math.round(values.reduce((sum, one) => sum + one, 0) / values.length);
  /** The first third is warm-up. */
  const thirds = (values: readonly number[]) => {
    const third = Math.max(1, Math.floor(values.length / 3));
    return { second: mean(values.slice(third, 2 * third)), last: mean(values.slice(2 * third)) };
  };
  const own = thirds(ownMib);
  answersMs.sort((a, b) => a - b);
  const figures = {
    minutes,
    rate,
    payments: sent,
    failed: failed.length,
    unsettled,
    settledAfterMs,
    answerMs: {
      p50: Math.round(answersMs[Math.floor(answersMs.length / 2)]!),
      p99: Math.round(answersMs[Math.floor(answersMs.length * 0.99)]!),
    },
    ownMib: own,
    mappedMib: thirds(mappedMib),
    transfers: Number(transfers),
    ledgerFaults: faultsTotal,
    provenShare: proof.share,
  };
  const holds =
    failed.length === 0 &&
    unsettled === 0 &&
    own.last <= growthMax * own.second &&
    faultsTotal === 0 &&
    transfers === BigInt(sent) &&
    proof.share === 1;
  if (process.env['TRIAL'] === undefined && holds) appendResult('payment-day', figures);
  console.log(JSON.stringify({ holds, ...figures }, null, 2));
  if (!holds) process.exitCode = 1;
  await program.kill();
} finally {
  await world.close();
}
