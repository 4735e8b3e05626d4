import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { recount } from '#hotel/inventory/recount.js';
import { hotelLimits } from '#hotel/limits.js';
import { loadHotels } from '#hotel/load/load-hotels.js';
import { addDays } from '#hotel/reservations/stay-days.js';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import { spawnPsp } from '#payment-simulator/spawn-psp.js';
import { openSql } from '#platform/sql/open-sql.js';
import { proveBookings } from '#processors/booking/prove-bookings.js';
import { appendResult, spread } from './append-result.js';
import { freePort } from './free-port.js';
import { Shop } from './hotel/booking-guest.js';
import { issueTokens, makeDatabase, startHotelProgram } from './hotel/hotel-program.js';
import { Missing } from './missing.js';
import { processCpuSeconds } from './process-cpu.js';

/**
 * How many bookings a second complete, with guests, program, provider and PostgreSQL on this machine? A
 * booking counts when the reservation is paid, by the webhook of the provider, and ledger and wallet must
 * have it too before the run is over. Beside TigerFans' published 135 a second on 4 cores, which cannot be
 * run here.
 */
const peerPerSecond = 135;
const address = process.env['SQL'];
if (address === undefined || !address.startsWith('postgres'))
  throw new Missing('Set SQL to a PostgreSQL server: infra/up postgres; set -a; . data/infra/env; set +a');
const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 15);
const guests = Number(process.env['GUESTS'] ?? 288);
const hotels = 200;
const data = mkdtempSync(join(tmpdir(), 'meridian-bench-booking-'));
const database = await makeDatabase(address, 'meridian_bench_booking');
const sql = await openSql(database, { connectionsMax: 3 });
// As far ahead as the daily job goes, so that it is idle during the measurement.
await loadHotels(sql, { hotels, roomTypes: 1, rooms: 1_000, days: hotelLimits.daysAhead + 2 });
await sql.query('TRUNCATE hotel_outbox');
const port = await freePort();
const apiKey = randomBytes(16).toString('hex');
const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`;
const psp = await spawnPsp({
  folder: join(data, 'psp'),
  seed: 1,
  apiKey,
  webhookSecrets: [webhookSecret],
  webhookUrl: `http://127.0.0.1:${port}/v1/psp/webhooks`,
});
writeFileSync(join(data, 'psp.pem'), psp.addresses.certificate);
const program = await startHotelProgram(['bookings'], {
  folder: data,
  port,
  env: {
    SQL: database,
    PSP_BASE_URL: psp.addresses.url,
    PSP_PINS: psp.addresses.pin,
    PSP_AUTHORITIES: join(data, 'psp.pem'),
    PSP_API_KEY: apiKey,
    WEBHOOK_SECRETS: webhookSecret,
  },
});
const tokens = await issueTokens(data, 4_000);
const arrival = addDays(new Date().toISOString().slice(0, 10), 30);
const shop = new Shop(`http://127.0.0.1:${port}`, psp.addresses.certificate, guests);
let turn = 0;

interface Round {
  readonly perSecond: number;
  readonly drainSeconds: number;
  /** Of each booking. */
  readonly programCpuMs: number;
  readonly providerCpuMs: number;
  readonly guestsCpuMs: number;
}

/**
 * Keeps all guests busy for some seconds; what is confirmed between the second second and the last one
 * counts.
 */
async function run(forSeconds: number): Promise<Round> {
  const endAt = performance.now() + forSeconds * 1_000;
  let began = 0;
  const pids = [program.pid!, psp.processId, process.pid];
  const cpuBefore = pids.map(processCpuSeconds);
  const all = Promise.all(
    Array.from({ length: guests }, async () => {
      while (performance.now() < endAt) {
        turn += 1;
        const day = addDays(arrival, turn % 200);
        const stay = { hotelID: hotelOf(turn), roomTypeID: 't01', startDate: day, endDate: addDays(day, 1) };
        await shop.book(tokens[turn % tokens.length]!, stay);
        began += 1;
      }
    }),
  );
  await Promise.race([all, delay(2_000)]);
  const from = await paidNow();
  const fromMs = performance.now();
  await all;
  const to = await paidNow();
  const perSecond = ((to - from) * 1_000) / (performance.now() - fromMs);
  const drainFrom = performance.now();
  await settled();
  const [programCpuMs = 0, providerCpuMs = 0, guestsCpuMs = 0] = pids.map(
    (pid, at) => ((processCpuSeconds(pid) - cpuBefore[at]!) * 1_000) / began,
  );
  const drainSeconds = (performance.now() - drainFrom) / 1_000;
  return { perSecond, drainSeconds, programCpuMs, providerCpuMs, guestsCpuMs };
}

const hotelOf = (n: number): string => `h${String(1 + ((n * 7919) % hotels)).padStart(5, '0')}`;
const bookings = async (): Promise<number> => count('SELECT count(*) AS n FROM reservation');
const paidNow = async (): Promise<number> =>
  count(`SELECT count(*) AS n FROM reservation WHERE status = 'paid'`);

async function count(query: string): Promise<number> {
  const { rows } = await sql.query<{ n: bigint }>(query);
  return Number(rows[0]!.n);
}

/** After all requests: everything is paid, and in ledger and wallet. */
async function settled(): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await count(openBookings)) > 0) {
    if (performance.now() > deadline) throw new Error('void: bookings did not come to their end in a minute');
    await delay(50);
  }
}
const openBookings = `SELECT (SELECT count(*) FROM reservation WHERE status <> 'paid')
  + (SELECT count(*) FROM payment_orders WHERE NOT (ledger_updated AND wallet_updated)) AS n`;

async function prove(): Promise<void> {
  const rooms = await recount(sql);
  const pairs = await proveBookings(sql);
  const money = await proveMoney(sql);
  const wrong = rooms.oversold.length + rooms.miscounted.length + rooms.lost.length + pairs.unproven.length;
  if (wrong > 0 || money.ledgerSum !== 0n || money.unproven > 0n || money.walletsWrong > 0n)
    throw new Error(`void: ${wrong} bookings wrong, ledger ${money.ledgerSum}, ${money.unproven} unproven`);
}

/** Like autovacuum each minute, so that plans do not assume empty tables. */
const learnSizes = () => sql.query('ANALYZE');

await run(3);
await learnSizes();
const done: Round[] = [];
for (let round = 1; round <= rounds; round += 1) {
  const result = await run(seconds);
  await prove();
  await learnSizes();
  done.push(result);
  console.error(`round ${round}: ${JSON.stringify(result)}`);
}
const of = (name: keyof Round) => spread(done.map((round) => round[name]));
const result = {
  guests,
  bookings: await bookings(),
  completePerSecond: of('perSecond'),
  overTigerFans: spread(done.map((round) => round.perSecond / peerPerSecond)),
  drainSeconds: of('drainSeconds'),
  programCpuMsPerBooking: of('programCpuMs'),
  providerCpuMsPerBooking: of('providerCpuMs'),
  guestsCpuMsPerBooking: of('guestsCpuMs'),
};
program.kill('SIGTERM');
await once(program, 'close');
await psp.close();
await shop.close();
await sql.close();
rmSync(data, { recursive: true, force: true });
console.log(JSON.stringify(result, undefined, 2));
appendResult('hotel-booking', result);
process.exit(0);
