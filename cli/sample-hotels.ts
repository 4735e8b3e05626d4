import { loadHotels } from '#hotel/load/load-hotels.js';
import type { Sql } from '#platform/sql/sql.js';

const size = { hotels: 12, roomTypes: 4, rooms: 40, days: 180 } as const;

/** Hotels for a first look, spread over the middle of the map, where the database has none yet. */
export async function sampleHotels(
  sql: Sql,
  map: { readonly name: string; readonly bounds: readonly [number, number, number, number] },
): Promise<void> {
  const { rows } = await sql.query('SELECT FROM hotel LIMIT 1');
  if (rows.length > 0) return;
  const [west, south, east, north] = map.bounds;
  const within = (from: number, to: number, share: number) => from + (to - from) * share;
  await loadHotels(sql, {
    ...size,
    place: {
      name: map.name,
      south: within(south, north, 0.3),
      north: within(south, north, 0.7),
      west: within(west, east, 0.3),
      east: within(west, east, 0.7),
    },
  });
}
