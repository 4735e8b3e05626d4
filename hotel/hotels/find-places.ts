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
  sql: SqlSession,
  { name, near, limit }: PlaceQuery,
): Promise<HotelPlaces['hotels']> {
  const { rows } = await sql.query(
    `SELECT hotel_id, name, address, lat, lng FROM hotel
     WHERE deleted_at IS NULL AND ($1::text IS NULL OR strpos(lower(name), lower($1)) > 0)
     ORDER BY CASE WHEN $2::float8 IS NULL THEN 0 ELSE (lat - $2) ^ 2 + ((lng - $3) * cos(radians($2))) ^ 2 END, hotel_id LIMIT $4`,
    [name ?? null, near?.lat ?? null, near?.lng ?? null, limit],
  );
  return rows.map((row) => ({
    hotelID: row['hotel_id'] as string,
    name: row['name'] as string,
    address: row['address'] as string,
    lat: row['lat'] as number,
    lng: row['lng'] as number,
  }));
}
