import type { Sql, SqlSession } from '#platform/sql/sql.js';
import { currencyDecimals } from '#schemas/currency.js';
import { hotelLimits } from '../limits.js';
import { loadLimits } from './limits.js';
import { unitsPerEuro } from './price-units.js';

export interface LoadOptions {
  readonly hotels: number;
  readonly roomTypes?: number;
  /** Of each hotel, spread evenly over its room types. */
  readonly rooms?: number;
  /** Days from today on, as it is in the hotels, with counts and prices. */
  readonly days?: number;
  /** Where they stand, degrees; Malta, which is the default map, when absent. */
  readonly place?: LoadPlace;
  /** In place of `place`: one for each hotel, in order. */
  readonly sites?: readonly LoadSite[];
  readonly now?: Date;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: Loaded) => void;
}

export interface LoadPlace {
  readonly name: string;
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** A hotel that is somewhere; its prices are of the size that is usual in its currency. */
export interface LoadSite {
  readonly name: string;
  readonly address: string;
  readonly lat: number;
  readonly lng: number;
  /** Of the IANA database. */
  readonly timeZone: string;
  readonly currency: string;
  /** ISO 3166-1, two letters. */
  readonly country?: string;
}

export interface Loaded {
  /** Written now; hotels that existed already are skipped. */
  readonly hotels: number;
  readonly rooms: number;
  /** Days of room types. */
  readonly inventory: number;
}

const malta: LoadPlace = { name: 'Malta', south: 35.86, west: 14.42, north: 35.91, east: 14.5 };

export const loadDefaults = { roomTypes: 20, rooms: 200, days: hotelLimits.daysAhead } as const;

/**
 * Writes a chain of hotels `h00001`, `h00002`, … with their rooms, counts and prices. All rows are made
 * inside the database by one statement a table, a few hotels to a transaction: no row crosses the wire.
 * Killed half-way it goes on where it was.
 */
export async function loadHotels(sql: Sql, options: LoadOptions): Promise<Loaded> {
  const shape = shapeOf(options);
  let done: Loaded = { hotels: 0, rooms: 0, inventory: 0 };
  for (let first = 1; first <= options.hotels; first += loadLimits.hotelsAtOnce) {
    options.signal?.throwIfAborted();
    const last = Math.min(options.hotels, first + loadLimits.hotelsAtOnce - 1);
    const added = await sql.transaction((tx) => loadSome(tx, shape, first, last));
    done = {
      hotels: done.hotels + added,
      rooms: done.rooms + added * shape.rooms,
      inventory: done.inventory + added * shape.roomTypes * shape.days,
    };
    options.onProgress?.(done);
  }
  return done;
}

interface Shape {
  readonly roomTypes: number;
  readonly rooms: number;
  readonly days: number;
  readonly now: Date;
  readonly place: LoadPlace;
  readonly sites?: readonly LoadSite[];
}

function shapeOf(options: LoadOptions): Shape {
  const { hotels, now = new Date(), place = malta, sites } = options;
  const { roomTypes, rooms, days } = { ...loadDefaults, ...options };
  const within = (what: string, value: number, max: number) => {
    if (!Number.isInteger(value) || value < 1 || value > max)
      throw new Error(`The number of ${what} must be a whole number from 1 to ${max}, not ${value}.`);
  };
  within('hotels', hotels, loadLimits.hotelsMax);
  within('room types', roomTypes, loadLimits.roomTypesMax);
  within('rooms', rooms, loadLimits.roomsMax);
  within('days', days, loadLimits.daysMax);
  if (rooms % roomTypes !== 0)
    throw new Error(`${rooms} rooms cannot be spread evenly over ${roomTypes} room types.`);
  if (sites !== undefined && sites.length !== hotels)
    throw new Error(`${hotels} hotels need as many sites, not ${sites.length}.`);
  return { roomTypes, rooms, days, now, place, ...(sites === undefined ? {} : { sites }) };
}

const id = (n: string) => `'h' || lpad((${n})::text, 5, '0')`;
const typeId = (t: string) => `'t' || lpad((${t})::text, 2, '0')`;

/** Hotels of the numbers that are not there yet, with their currencies. */
async function addHotels(
  tx: SqlSession,
  shape: Shape,
  first: number,
  last: number,
): Promise<readonly Added[]> {
  const { now, place, sites } = shape;
  const columns =
    'hotel_id, name, address, lat, lng, time_zone, currency, country, amenities, created_at, updated_at';
  const given = `ARRAY['wi-fi', 'breakfast'], $1, $1`;
  const added = 'ON CONFLICT DO NOTHING RETURNING hotel_id, currency';
  if (sites !== undefined) {
    const here = sites.slice(first - 1, last);
    const { rows } = await tx.query(
      `INSERT INTO hotel (${columns})
       SELECT ${id('$2::integer - 1 + n')}, name, address, lat, lng, time_zone, currency, country, ${given}
       FROM unnest($3::text[], $4::text[], $5::float8[], $6::float8[], $7::text[], $8::text[], $9::text[])
         WITH ORDINALITY s (name, address, lat, lng, time_zone, currency, country, n) ${added}`,
      [
        now,
        first,
        here.map(({ name }) => name),
        here.map(({ address }) => address),
        here.map(({ lat }) => lat),
        here.map(({ lng }) => lng),
        here.map(({ timeZone }) => timeZone),
        here.map(({ currency }) => currency),
        here.map(({ country }) => country ?? null),
      ],
    );
    return rows as unknown as Added[];
  }
  // Steps of the golden ratio and its square lay the hotels evenly over the place.
  const { rows } = await tx.query(
    `INSERT INTO hotel (${columns})
     SELECT ${id('n')}, 'Meridian Hotel ' || n, n || ' Triq Ir-Repubblika, ' || $4::text,
       $5::float8 + $6::float8 * (n * 0.7548776662 - floor(n * 0.7548776662)), $7::float8 + $8::float8 * (n * 0.5698402910 - floor(n * 0.5698402910)),
       'Europe/Malta', 'EUR', 'MT', ${given}
     FROM generate_series($2::integer, $3::integer) n ${added}`,
    [
      now,
      first,
      last,
      place.name,
      place.south,
      place.north - place.south,
      place.west,
      place.east - place.west,
    ],
  );
  return rows as unknown as Added[];
}

interface Added {
  readonly hotel_id: string;
  readonly currency: string;
}

/** Smallest units of the currency that a price counts for each euro. */
const minorPerEuro = ({ currency }: Added): number =>
  unitsPerEuro(currency) * 10 ** currencyDecimals(currency)!;

async function loadSome(tx: SqlSession, shape: Shape, first: number, last: number): Promise<number> {
  const { roomTypes, rooms, days, now } = shape;
  const added = await addHotels(tx, shape, first, last);
  const ids = added.map((hotel) => hotel.hotel_id);
  if (ids.length === 0) return 0;
  await tx.query(
    `INSERT INTO room_type (hotel_id, room_type_id, name, capacity, beds)
     SELECT h, ${typeId('t')}, coalesce((ARRAY['Double', 'Family room', 'Studio', 'Single'])[t], 'Room type ' || t), 1 + t % 4, 1 + t % 2 FROM unnest($1::text[]) h, generate_series(1, $2::integer) t`,
    [ids, roomTypes],
  );
  await tx.query(
    `INSERT INTO room (hotel_id, room_id, room_type_id, number, floor, in_service_from)
     SELECT hotel_id, 'r' || lpad(r::text, 4, '0'), ${typeId('1 + (r - 1) % $3::integer')},
       (100 * (1 + (r - 1) / 20) + 1 + (r - 1) % 20)::text, 1 + (r - 1) / 20,
       ($4::timestamptz AT TIME ZONE time_zone)::date
     FROM unnest($1::text[]) h JOIN hotel ON hotel_id = h, generate_series(1, $2::integer) r`,
    [ids, rooms, roomTypes, now],
  );
  await tx.query(
    `INSERT INTO rate_step (hotel_id, from_occupancy_percent, price_percent)
     SELECT h, s.* FROM unnest($1::text[]) h, (VALUES (50, 110), (80, 130)) s`,
    [ids],
  );
  const everyDay = `FROM (SELECT h, units, ($4::timestamptz AT TIME ZONE time_zone)::date AS today
         FROM unnest($1::text[], $5::bigint[]) s (h, units) JOIN hotel ON hotel_id = h) z,
       generate_series(1, $2::integer) t, generate_series(0, $3::integer - 1) d`;
  const units = added.map(minorPerEuro);
  await tx.query(
    `INSERT INTO room_type_inventory (hotel_id, room_type_id, date, total_inventory)
     SELECT h, ${typeId('t')}, z.today + d, $6::integer ${everyDay}`,
    [ids, roomTypes, days, now, units, rooms / roomTypes],
  );
  // Dearer by the room type, and on Friday and Saturday nights. At addresses of a map, from 80 to 140 % by
  // the hotel, so that people have something to compare.
  const hotelPercent = shape.sites === undefined ? '100' : `80 + 5 * (7 * right(h, 5)::integer % 13)`;
  await tx.query(
    `INSERT INTO room_type_rate (hotel_id, room_type_id, date, price_minor)
     SELECT h, ${typeId('t')}, z.today + d,
       z.units * round((80 + 10 * t) * (${hotelPercent}) / 100.0
         * CASE WHEN extract(isodow FROM z.today + d) IN (5, 6) THEN 1.2 ELSE 1 END)::bigint ${everyDay}`,
    [ids, roomTypes, days, now, units],
  );
  return ids.length;
}
