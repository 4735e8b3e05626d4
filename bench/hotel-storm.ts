import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { recount } from '#hotel/inventory/recount.js';
import { appendResult } from './append-result.js';
import { emptyHotels, makeHotelDatabase, stay } from './hotel/hotel-database.js';
import { insist } from './hotel/storm-guest.js';
import { StormServers } from './hotel/storm-servers.js';
import { Missing } from './missing.js';
import { seeded } from './routing/seeded.js';

/**
 * Are all available rooms sold, and no more? A thousand guests want one room each of one hotel, on four
 * processes that are killed at random; some send twice at once, some disconnect and send again. In turns
 * there are fewer rooms than guests and exactly as many. The control is the same storm on the same functions
 * without their guards: it must oversell, or the storm proves nothing.
 */
const address = process.env['SQL'];
if (address === undefined || !address.startsWith('postgres'))
  throw new Missing('Set SQL to a PostgreSQL server: infra/up postgres; set -a; . data/infra/env; set +a');
const kills = Number(process.argv[2] ?? process.env['KILLS'] ?? 20);
const guests = Number(process.env['GUESTS'] ?? 1_000);
const seed = Number(process.env['SEED'] ?? 1);
const random = seeded(seed);
const twins: Array<Promise<unknown>> = [];
const rules = { random, twins, doubledEvery: 5, hangUpEvery: 8 };
const killEveryMs = 350;
const controlStorms = 3;
const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-storm-'));
// All guests want one hotel; a few others exist.
const database = await makeHotelDatabase(address, 20);
const { sql } = database;
const wanted = { hotelID: 'h1', roomTypeID: 'double', ...stay };

interface Storm {
  readonly sellable: number;
  /** All guests, or all rooms if these are fewer. */
  readonly possible: number;
  readonly sold: number;
  readonly refused: number;
  readonly asked: number;
  readonly oversold: number;
  /**
   * Guests who were refused although a room was left, and guests whose reservation was confirmed without a
   * room.
   */
  readonly falseRefusals: number;
  readonly lost: number;
  readonly slowestMs: number;
}

/** `wanting` guests want one of `rooms` rooms each; without the number, exactly as many as can be sold. */
async function storm(servers: StormServers, rooms: number, wanting?: number): Promise<Storm> {
  await emptyHotels(sql);
  await sql.query(
    `UPDATE room_type_inventory SET total_inventory = $1 WHERE hotel_id = 'h1' AND date BETWEEN $2 AND $3`,
    [rooms, stay.startDate, stay.endDate],
  );
  const sellable = await sellableRooms();
  const asking = wanting ?? sellable;
  let turn = 0;
  let slowestMs = 0;
  const answers: Array<Awaited<ReturnType<typeof insist>>> = [];
  await Promise.all(
    Array.from({ length: guests }, async () => {
      while (turn < asking) {
        turn += 1;
        const from = performance.now();
        answers.push(await insist(servers, turn, wanted, rules));
        slowestMs = Math.max(slowestMs, performance.now() - from);
      }
    }),
  );
  // Requests of closed connections are awaited too, so that none of this storm overlaps the next.
  await Promise.all(twins.splice(0));
  await delay(300);
  const { rows } = await sql.query<{ reservation_id: string }>('SELECT reservation_id FROM reservation');
  const stored = new Set(rows.map((row) => row.reservation_id));
  const sold = answers.filter((answer) => answer.sold);
  const refused = answers.length - sold.length;
  return {
    sellable,
    possible: Math.min(asking, sellable),
    sold: stored.size,
    refused,
    asked: answers.reduce((sum, answer) => sum + answer.asked, 0),
    oversold: Math.max(0, stored.size - sellable),
    falseRefusals: Math.max(0, Math.min(asking, sellable) - stored.size),
    lost: sold.filter(({ id }) => !stored.has(id)).length,
    slowestMs: Math.round(slowestMs),
  };
}

async function sellableRooms(): Promise<number> {
  const { rows } = await sql.query<{ n: bigint }>(
    `SELECT min(11 * total_inventory / 10)::bigint AS n FROM room_type_inventory WHERE hotel_id = 'h1' AND date BETWEEN $1 AND $2`,
    [stay.startDate, stay.endDate],
  );
  return Number(rows[0]!.n);
}

/** Kills one process from time to time, up to the requested number. */
async function harass(servers: StormServers, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && servers.kills < kills) {
    await delay(killEveryMs * (0.5 + random()));
    await servers.kill(random());
  }
}

const guarded = await StormServers.open(database.address, folder, {});
const stop = new AbortController();
const harassing = harass(guarded, stop.signal);
const storms: Storm[] = [];
for (let round = 0; round < 2 || guarded.kills < kills; round += 1) {
  // 110 % are sold: of 500 rooms 550 to a thousand guests, of 910 rooms 1,001 to as many.
  const result =
    round % 2 === 0
      ? await storm(guarded, Math.floor(guests / 2), guests)
      : await storm(guarded, Math.ceil((10 * guests) / 11));
  const { miscounted, oversold, lost } = await recount(sql);
  if (miscounted.length + oversold.length + lost.length + result.lost > 0)
    throw new Error(`void: ${JSON.stringify({ miscounted, oversold, lost, result })}`);
  storms.push(result);
  if (round % 10 === 0)
    console.error(`storm ${round + 1}, ${guarded.kills} kills: ${JSON.stringify(result)}`);
}
stop.abort();
await harassing;
await guarded.close();

// The same without locks, and without the constraint behind them.
const { rows: made } = await sql.query<{ definition: string }>(
  `SELECT replace(replace(pg_get_functiondef('reserve_by_row_locks'::regproc), 'reserve_by_row_locks', 'reserve_by_none'), 'FOR NO KEY UPDATE', '') AS definition`,
);
await sql.query(made[0]!.definition);
await sql.query('DROP TRIGGER room_type_inventory_cap ON room_type_inventory');
const unguarded = await StormServers.open(database.address, folder, { guard: 'none', batchMax: 1 });
const controls: Storm[] = [];
for (let round = 0; round < controlStorms; round += 1)
  controls.push(await storm(unguarded, Math.floor(guests / 2), guests));
await unguarded.close();
await sql.close();
rmSync(folder, { recursive: true, force: true });

const sum = (pick: (one: Storm) => number) => storms.reduce((total, one) => total + pick(one), 0);
const result = {
  guests,
  seed,
  processes: 4,
  kills: guarded.kills,
  storms: storms.length,
  asked: sum(({ asked }) => asked),
  soldOverPossible: Number((sum(({ sold }) => sold) / sum(({ possible }) => possible)).toFixed(4)),
  oversold: sum(({ oversold }) => oversold),
  falseRefusals: sum(({ falseRefusals }) => falseRefusals),
  slowestMs: Math.max(...storms.map(({ slowestMs }) => slowestMs)),
  control: { storms: controlStorms, oversold: controls.reduce((total, one) => total + one.oversold, 0) },
};
console.log(JSON.stringify(result, undefined, 2));
appendResult('hotel-storm', result);
if (result.soldOverPossible !== 1 || result.oversold > 0 || result.control.oversold === 0)
  process.exitCode = 1;
process.exit();
