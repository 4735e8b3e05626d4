import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import type { FinishedTrip } from '#routing-engine/arrival-times/arrival-model.js';

/** A path without trips: the message says what is wrong with it. */
export class UnreadableTrips extends Error {
  override readonly name = 'UnreadableTrips';
}

/** Names of fields of `nav.arrival.observed.v1`, as `meridian events tail --json` prints them. */
const columns = ['departedMs', 'actualS', 'physicalS', 'features'];
const rowsAtOnce = 10_000;
const filesMax = 100_000;

/** Finished trips of a Parquet file, or of all `.parquet` files below a folder. */
export async function* tripsOfParquet(path: string, tilesetId: string): AsyncGenerator<FinishedTrip> {
  for (const file of await filesOf(path)) {
    try {
      yield* tripsOfFile(file, tilesetId);
    } catch (error) {
      if (error instanceof UnreadableTrips) throw error;
      throw new UnreadableTrips(`${file} cannot be read as Parquet: ${(error as Error).message}`);
    }
  }
}

async function filesOf(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new UnreadableTrips(`${path} does not exist.`);
  if (!found.isDirectory()) return [path];
  const names = await readdir(path, { recursive: true });
  const files = names.filter((name) => name.endsWith('.parquet')).sort();
  if (files.length === 0) throw new UnreadableTrips(`There is no .parquet file below ${path}.`);
  if (files.length > filesMax)
    throw new UnreadableTrips(`There are more than ${filesMax} files below ${path}.`);
  return files.map((name) => join(path, name));
}

async function* tripsOfFile(file: string, tilesetId: string): AsyncGenerator<FinishedTrip> {
  const buffer = await asyncBufferFromFile(file);
  const metadata = await parquetMetadataAsync(buffer);
  const names = new Set(metadata.schema.map(({ name }) => name));
  const missing = columns.filter((name) => !names.has(name));
  if (missing.length > 0)
    throw new UnreadableTrips(
      `${file} has no column ${missing.join(', ')}. Its rows must be records of nav.arrival.observed.v1.`,
    );
  const isOfMaps = names.has('tilesetId');
  const rows = Number(metadata.num_rows);
  for (let rowStart = 0; rowStart < rows; rowStart += rowsAtOnce) {
    const read = await parquetReadObjects({
      ...{ file: buffer, metadata, rowStart, rowEnd: Math.min(rows, rowStart + rowsAtOnce) },
      columns: isOfMaps ? [...columns, 'tilesetId'] : columns,
    });
    for (const row of read) if (!isOfMaps || row['tilesetId'] === tilesetId) yield tripOf(row);
  }
}

/** Values that are no numbers become NaN, and such a trip is not plausible. */
function tripOf(row: Readonly<Record<string, unknown>>): FinishedTrip {
  const { departedMs, actualS, physicalS, features } = row;
  return {
    departMs: departedMs instanceof Date ? departedMs.getTime() : Number(departedMs),
    actualS: Number(actualS),
    physicalS: Number(physicalS),
    row: Array.isArray(features) ? features.map(Number) : [],
  };
}
