import { setTimeout as delay } from 'node:timers/promises';
import { appendResult, spread } from './append-result.js';
import { openPaymentWorld, type PaymentProgram, paymentBody, postPayment } from './payment/payment-world.js';
import { payByPeer, preparePeer } from './payment/peer-function.js';
import { worldCpu } from './payment/world-cpu.js';

/**
 * How many payments per second, from POST until everything is visible (charged at the provider, in the
 * ledger, in the wallet, the event done, published to the log), compared with the best SQL function that
 * writes the same rows? And how many replays of the same keys, with how many calls to the provider? The
 * provider is a process of its own. A run in which anything is missing or charged twice is void.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5);
const payments = Number(process.env['PAYMENTS'] ?? 600);
const atOnce = 64;
const replaysPerPayment = 5;
const deadlineMs = 60_000;

const world = await openPaymentWorld({ settings: {}, roundEveryMs: 200, pspTimeoutMs: 10_000 });
const { sql } = world;
const unfinished = `SELECT (SELECT count(*) FROM payment_events WHERE NOT is_payment_done)
  + (SELECT count(*) FROM payment_outbox WHERE sent_at IS NULL) AS n`;

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
    }),
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

async function fresh(
  program: PaymentProgram,
  bodies: readonly ReturnType<typeof paymentBody>[],
): Promise<void> {
  await inTurns(bodies, async (body) => {
    const { status } = await postPayment(program.url, body);
    if (status !== 201) throw new Error(`void: a payment was answered with ${status}`);
  });
  const untilMs = performance.now() + deadlineMs;
  while ((await sql.query<{ n: bigint }>(unfinished)).rows[0]!.n > 0n) {
    if (performance.now() > untilMs) throw new Error('void: not everything became visible');
    await delay(10);
  }
}

async function replay(
  program: PaymentProgram,
  bodies: readonly ReturnType<typeof paymentBody>[],
): Promise<void> {
  await inTurns(Array.from({ length: replaysPerPayment }, () => bodies).flat(), async (body) => {
    const { status, headers } = await postPayment(program.url, body);
    if (status !== 200 || headers['idempotent-replayed'] !== 'true')
      throw new Error(`void: a replay was answered with ${status}`);
  });
}

try {
  await preparePeer(sql);
  const program = await world.start();
  await world.control('POST', '/webhooks', { url: `${program.url}/v1/psp/webhooks` });
  const perSecond = { ours: [] as number[], peer: [] as number[], replays: [] as number[] };
  const cpuMs = { ours: [] as number[], peer: [] as number[] };
  const cpu = await worldCpu(sql);
  const oursCpu = () => cpu([process.pid, program.process.pid!, world.psp.processId]);
  const peerCpu = () => cpu([process.pid]);
  const cpuOf = async (read: () => number, work: () => Promise<unknown>): Promise<number> => {
    const before = read();
    await work();
    return (read() - before) * 1_000;
  };
  const calls = async () => (await world.control<{ calls: number }>('GET', '/calls')).calls;
  let callsByReplays = 0;
  let made = 0;
  const bodiesOf = (count: number) => {
    made += count;
    return Array.from({ length: count }, (_, number) => paymentBody(number));
  };
  await fresh(program, bodiesOf(payments));
  await payByPeer(sql, payments, 16);
  for (let round = 0; round < rounds; round += 1) {
    const bodies = bodiesOf(payments);
    const runs = [
      async () => {
        const used = await cpuOf(oursCpu, async () =>
          perSecond.ours.push(payments / (await timed(() => fresh(program, bodies)))),
        );
        cpuMs.ours.push(used / payments);
      },
      async () => {
        const used = await cpuOf(peerCpu, async () =>
          perSecond.peer.push((payments * 5) / (await timed(() => payByPeer(sql, payments * 5, 16)))),
        );
        cpuMs.peer.push(used / (payments * 5));
      },
    ];
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run();
    const before = await calls();
    const seconds = await timed(() => replay(program, bodies));
    perSecond.replays.push((payments * replaysPerPayment) / seconds);
    callsByReplays += (await calls()) - before;
  }
  const { rows } = await sql.query<{ wrong: bigint; sum: bigint }>(
    `SELECT (SELECT count(*) FROM payment_orders WHERE NOT (payment_order_status = 'SUCCESS' AND ledger_updated AND wallet_updated)) AS wrong,
       (SELECT count(*) FROM ledger_transfer) AS sum`,
  );
  if (rows[0]!.wrong > 0n || rows[0]!.sum !== BigInt(made))
    throw new Error('void: payments or transfers are missing');
  const record = await world.control<{ kind: string; payment: { status: string } }[]>('GET', '/record');
  const captured = record.filter(
    ({ kind, payment }) => kind === 'payment' && payment.status === 'captured',
  ).length;
  if (captured !== made) throw new Error(`void: ${captured} charges of ${made} payments`);
  const over = (one: readonly number[], other: readonly number[]) =>
    spread(one.map((value, round) => value / other[round]!));
  const figures = {
    rounds,
    payments,
    atOnce,
    perSecond: {
      ours: spread(perSecond.ours),
      peer: spread(perSecond.peer),
      replays: spread(perSecond.replays),
    },
    oursOverPeer: over(perSecond.ours, perSecond.peer),
    // Our side includes buyers, the provider and its webhooks; the peer's side only the caller.
    cpuMsPerPayment: { ours: spread(cpuMs.ours), peer: spread(cpuMs.peer) },
    oursOverPeerByCpu: over(cpuMs.peer, cpuMs.ours),
    replaysOverFresh: over(perSecond.replays, perSecond.ours),
    callsByReplays,
    charges: captured,
  };
  if (process.env['TRIAL'] === undefined) appendResult('payment-fresh', figures);
  console.log(JSON.stringify(figures, null, 2));
  await program.kill();
} finally {
  await world.close();
}
