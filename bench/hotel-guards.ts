import { guards } from '#hotel/reservations/reserve-batch.js';
import { appendResult, spread } from './append-result.js';
import { emptyHotels, hotels, makeHotelDatabase, proveHotels, stay } from './hotel/hotel-database.js';
import { pgbench } from './hotel/pgbench.js';
import { Missing } from './missing.js';

/**
 * Which guard of the inventory costs least: row locks, a version column or a constraint, one reservation in a
 * transaction, on one hot hotel and over 5,000 hotels. Callers are the connections of pgbench, so that
 * nothing but the guard differs.
 */
const address = process.env['SQL'];
if (address === undefined || !address.startsWith('postgres')) {
  throw new Missing('Set SQL to a PostgreSQL server: infra/up postgres; set -a; . data/infra/env; set +a');
}
const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 1);
const clients = [1, 16];
const database = await makeHotelDatabase(address);

async function measure(guard: string, hot: boolean, connections: number): Promise<number> {
  await emptyHotels(database.sql);
  const script = `\\set u random(1, 1000000000)
\\set h random(1, ${hot ? 1 : hotels})
SELECT outcome FROM reserve_by_${guard}(ARRAY[gen_random_uuid()::text], ARRAY['guest-' || :u], ARRAY['h' || :h], ARRAY['double'],
  ARRAY['${stay.startDate}'::date], ARRAY['${stay.endDate}'::date], ARRAY[1], ARRAY['r'], now(), interval '15 min', 5);
`;
  const { perSecond, transactions } = pgbench(database.address, script, { clients: connections, seconds });
  await proveHotels(database.sql, transactions);
  return perSecond;
}

const figures = new Map<string, number[]>();
for (let round = 1; round <= rounds; round += 1) {
  for (const guard of guards) {
    for (const place of ['hot', 'spread'] as const) {
      for (const connections of clients) {
        const name = `${guard} ${place} ${connections}`;
        const perSecond = await measure(guard, place === 'hot', connections);
        figures.set(name, [...(figures.get(name) ?? []), perSecond]);
      }
    }
  }
  console.error(
    `round ${round}: ` +
      `${[...figures].map(([name, values]) => `${name}: ${Math.round(values.at(-1)!)}`).join(', ')}`,
  );
}
await database.sql.close();
const result = {
  reservationsPerSecond: Object.fromEntries([...figures].map(([name, values]) => [name, spread(values)])),
};
console.log(JSON.stringify(result, undefined, 2));
appendResult('hotel-guards', result);
