import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultMapSource } from '#map-data/default-map.js';
import { Missing } from '../missing.js';

/** From the smallest to the largest; the horizontal axis of plots. */
export const areas = ['monaco', 'goteborg', 'heidelberg', 'malta', 'ny'] as const;
/** One of these, or, where a person names it, the path of any extract. */
export type Area = (typeof areas)[number];

/** The one whose extract is part of the repository. */
const ownArea = 'malta';
const ending = '.osm.pbf';
const beside = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

function pathOf(name: string): string {
  const { file: own } = defaultMapSource();
  return basename(own) === name ? own : join(process.env['MERIDIAN_EXTRACTS'] ?? beside, name);
}

/**
 * A file of road data: the default map, which is part of the repository, else a file in `MERIDIAN_EXTRACTS`,
 * else in `../shared/data` beside the checkout.
 */
export function dataFile(name: string): string {
  const file = pathOf(name);
  if (existsSync(file)) return file;
  throw new Missing(
    `${file} is not there. Use ${ownArea}, which comes with Meridian, or the path of an extract ` +
      `(${ending}), or set MERIDIAN_EXTRACTS to the folder of your extracts.`,
  );
}

export const hasFile = (name: string): boolean => existsSync(pathOf(name));

/** Of an area, or of the path of an extract. */
export function extractOf(area: string): string {
  if (!area.endsWith(ending)) return dataFile(`${area}${ending}`);
  const file = resolve(area);
  if (!existsSync(file)) throw new Missing(`${file} is not there.`);
  return file;
}

/** For folders and results: the name of the file for an extract with a path. */
export const areaName = (area: string): string => basename(area, ending);

/** What a person named, separated by commas; else those of the usual areas whose extracts are here. */
export function chosenAreas<Name extends string>(named: string | undefined, usual: readonly Name[]): Name[] {
  if (named !== undefined) return named.split(',') as Name[];
  const here = usual.filter((area) => hasFile(`${area}${ending}`));
  const left = usual.filter((area) => !here.includes(area));
  if (left.length === 0) return here;
  const used = here.length === 0 ? [ownArea as Name] : here;
  console.error(`Without the extracts of ${left.join(', ')}, this measures ${used.join(', ')}.`);
  return used;
}

export const chosenArea = (usual: Area): Area => chosenAreas(process.env['AREA'], [usual])[0]!;
