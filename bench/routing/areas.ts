import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultMapSource } from '#map-data/default-map.js';

/** From the smallest to the largest; the horizontal axis of plots. */
export const areas = ['monaco', 'goteborg', 'heidelberg', 'malta', 'ny'] as const;
export type Area = (typeof areas)[number];

const beside = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

/**
 * A file of road data: the default map, which is part of the repository, else a file in `MERIDIAN_EXTRACTS`,
 * else in `../shared/data` beside the checkout.
 */
export function dataFile(name: string): string {
  const { file: own } = defaultMapSource();
  if (basename(own) === name) return own;
  const file = join(process.env['MERIDIAN_EXTRACTS'] ?? beside, name);
  if (!existsSync(file))
    throw new Error(`${file} is not there; say where the extracts lie: MERIDIAN_EXTRACTS=folder.`);
  return file;
}

export const extractOf = (area: Area): string => dataFile(`${area}.osm.pbf`);
