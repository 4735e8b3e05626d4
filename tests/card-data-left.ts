import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findCardData, textHoldsCardData } from '#platform/card-data/find-card-data.js';
import type { Sql } from '#platform/sql/sql.js';

/** Fewer digits than a card number has. */
const digitsMin = 13;

/** The number with any separators between its digits, in any encoding that keeps digits as they are. */
export const writtenNumber = (number: string): RegExp =>
  new RegExp(number.split('').join('[^0-9a-zA-Z]{0,3}'));

/** Throws if a row that a test left in a database holds the number or the code of a card. */
export async function expectNoCardData(sql: Sql): Promise<void> {
  const { rows: columns } = await sql.query<{
    readonly of: string;
    readonly name: string;
    readonly holds_bytes: boolean;
  }>(
    `SELECT quote_ident(relname) AS of, quote_ident(attname) AS name, typname = 'bytea' AS holds_bytes
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid JOIN pg_type ON atttypid = pg_type.oid
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
       AND typname IN ('text', 'varchar', 'bpchar', 'json', 'jsonb', '_text', 'bytea')`,
  );
  const places: string[] = [];
  for (const { of, name, holds_bytes: holdsBytes } of columns) {
    if (holdsBytes) {
      const { rows } = await sql.query<{ readonly value: Uint8Array }>(
        `SELECT DISTINCT ${name} AS value FROM ${of} WHERE length(${name}) >= ${digitsMin}`,
      );
      // Every byte is a character.
      if (rows.some(({ value }) => holdsCardData(Buffer.from(value).toString('latin1'))))
        places.push(`${of}.${name}`);
      continue;
    }
    const { rows } = await sql.query<{ readonly value: string }>(
      `SELECT DISTINCT ${name}::text AS value FROM ${of}
       WHERE length(regexp_replace(${name}::text, '\\D', '', 'g')) >= ${digitsMin}`,
    );
    if (rows.some(({ value }) => holdsCardData(value))) places.push(`${of}.${name}`);
  }
  if (places.length > 0) throw new Error(`Card data was stored in ${places.join(', ')}.`);
}

/**
 * Ids of the providers of tests, alone or in the address of a page. They are random: now and then one has the
 * digits of a card number. One without a letter is not known to be one. A doctored settlement adds an x or y.
 */
const randomId = /(?<![0-9A-Za-z])[a-z]{2,8}_(?=\d*[a-f])(?:[0-9a-f]{32}|[0-9a-f]{24})[xy]?(?![0-9A-Za-z])/g;
/** Milliseconds in the id of an event: with the number before it, they may look like a card of airlines. */
const eventTime = /(?<=:)1\d{12}(?=:)/g;

/**
 * Whether a value of a column holds the number or the code of a card. Values of JSON are checked one by one:
 * prices side by side are not one number.
 */
export function holdsCardData(stored: string): boolean {
  // A letter, so that digits before and after it are not read as one number.
  const value = stored.replaceAll(randomId, 'x').replaceAll(eventTime, 'x');
  if (!/^[[{]/.test(value)) return textHoldsCardData(value);
  try {
    return findCardData(JSON.parse(value)) !== undefined;
  } catch {
    return textHoldsCardData(value);
  }
}

/**
 * Throws if a file below the folder, or the output of its programs, contains one of the numbers, or one of
 * the verification codes after a name of such a code: alone, a few digits are found anywhere. JSON that
 * PostgreSQL has parsed has nothing between the two.
 */
export async function expectNoCardNumbers(
  folder: string,
  output: string,
  numbers: readonly string[],
  codes: readonly string[] = [],
): Promise<void> {
  const written = new RegExp(
    [
      ...numbers.map((number) => writtenNumber(number).source),
      ...codes.map((code) => `(?:cvv|cvc|security.?code)[^0-9a-zA-Z]{0,8}${code}(?![0-9])`),
    ].join('|'),
  );
  const places = written.test(output) ? ['the output'] : [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // On a busy machine PostgreSQL ends a moment after its program: what it has removed is not left.
    const isLeft = await contains(path, written).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOENT') throw cause;
      return false;
    });
    if (isLeft) places.push(path);
  }
  if (places.length > 0) throw new Error(`A card number is in ${places.join(', ')}.`);
}

async function contains(path: string, written: RegExp): Promise<boolean> {
  let end = '';
  for await (const chunk of createReadStream(path, { encoding: 'latin1', highWaterMark: 1 << 20 })) {
    if (written.test(end + chunk)) return true;
    end = chunk.slice(-64);
  }
  return false;
}
