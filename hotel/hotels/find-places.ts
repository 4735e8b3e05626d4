import { queryAll } from '#platform/sql/query-all.js';
import type { SqlSession } from '#platform/sql/sql.js';
import type { HotelPlaces } from '#schemas/http/hotel-places.js';

export interface PlaceQuery {
  readonly name?: string;
  /** Degrees; nearest first when it is there, by id otherwise. */
  readonly near?: { readonly lat: number; readonly lng: number };
  readonly limit: number;
}

/**
 * Where hotels are. A chain has some thousands, so all are scanned; over a city the earth is flat enough to
 * sort by.
 */
export async function findPlaces(
  databases: readonly SqlSession[],
  { name, near, limit }: PlaceQuery,
): Promise<HotelPlaces['hotels']> {
  const rows = await queryAll(
    databases,
    `SELECT hotel_id, name, address, lat, lng,
       CASE WHEN $2::float8 IS NULL THEN 0 ELSE (lat - $2) ^ 2 + ((lng - $3) * cos(radians($2))) ^ 2 END AS distance
     FROM hotel WHERE deleted_at IS NULL AND hotel_is_here(hotel_id) AND ($1::text IS NULL OR strpos(lower(name), lower($1)) > 0)
     ORDER BY distance, hotel_id LIMIT $4`,
    [name ?? null, near?.lat ?? null, near?.lng ?? null, limit],
  );
  const nearest =
    databases.length === 1
      ? rows
      : rows
          .toSorted(
            (a, b) =>
              (a['distance'] as number) - (b['distance'] as number) ||
              Buffer.compare(Buffer.from(a['hotel_id'] as string), Buffer.from(b['hotel_id'] as string)),
          )
          .slice(0, limit);
  return nearest.map((row) => ({
    hotelID: row['hotel_id'] as string,
    name: row['name'] as string,
    address: row['address'] as string,
    lat: row['lat'] as number,
    lng: row['lng'] as number,
  }));
}
