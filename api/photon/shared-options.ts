import { acceptedLanguages } from '../http/accepted-languages.js';
import type { QueryOptions } from '../http/query-options.js';
import { addressParts, type PlaceFacts, type PlaceFinder } from '../ports/place-finder.js';
import * as messages from './messages.js';
import { fitsTags, isInCategory, readCategories, readTagFilter } from './tag-filter.js';

export type Accepts = (facts: PlaceFacts) => boolean;

/** What both operations have. */
export interface SharedOptions {
  readonly languages: readonly string[];
  readonly limit: number;
  readonly accepts: Accepts;
}

export const sharedOptions = [
  ...['lang', 'limit', 'debug', 'dedupe', 'geometry', 'osm_tag', 'layer', 'include', 'exclude'],
];
const resultsMax = 50;

/** `header` is `Accept-Language`, which counts where the query has no language. */
export function readShared(
  options: QueryOptions,
  { hasTags }: PlaceFinder,
  header: string | undefined,
  limitDefault: number,
): SharedOptions {
  for (const [name, message] of Object.entries(messages.refused))
    if (readFlag(options, name, false)) options.refuse(message);
  if (!readFlag(options, 'dedupe', true)) options.refuse(messages.noDuplicates);
  const filters = [readLayers(options), ...readTags(options), ...readIncluded(options)];
  // Layers do not need tags, so they are the first filter.
  if (!hasTags && filters.slice(1).length > 0) options.refuse(messages.noTags);
  return {
    languages: readLanguages(options, header),
    limit:
      options.number('limit', { least: 1, most: resultsMax, clamp: true, integer: true }) ?? limitDefault,
    accepts: (facts) => filters.every((filter) => filter(facts)),
  };
}

const flags: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };

export function readFlag(options: QueryOptions, name: string, otherwise: boolean): boolean {
  const text = options.text(name)?.toLowerCase();
  if (text === undefined) return otherwise;
  return flags[text] ?? options.refuse(messages.badFlag(name)) ?? otherwise;
}

function readLanguages(options: QueryOptions, header: string | undefined): string[] {
  const text = options.text('lang');
  if (text === undefined) return acceptedLanguages(header);
  if (text === 'default') return [];
  const languages = acceptedLanguages(text);
  if (languages.length === 0 || text.includes(',')) options.refuse(messages.badLanguage);
  return languages;
}

function readLayers(options: QueryOptions): Accepts {
  const layers = new Set(options.list('layer'));
  if ([...layers].some((layer) => !addressParts.some((part) => part === layer)))
    options.refuse(messages.badLayer(addressParts));
  return ({ part }) => layers.size === 0 || layers.has(part);
}

function readTags(options: QueryOptions): Accepts[] {
  const texts = options.list('osm_tag');
  const filters = texts.flatMap((text) => readTagFilter(text) ?? options.refuse(messages.badTag) ?? []);
  const fits = fitsTags(filters);
  return texts.length === 0 ? [] : [({ tag }) => fits(tag)];
}

/** Of a list of categories to include, one is enough; of one to exclude, all are needed. */
function readIncluded(options: QueryOptions): Accepts[] {
  const listsOf = (name: string): string[][] =>
    options
      .list(name)
      .map((text) => readCategories(text) ?? options.refuse(messages.badCategory(name)) ?? []);
  return [
    ...listsOf('include').map(
      (names): Accepts =>
        ({ tag }) =>
          names.some((name) => isInCategory(tag, name)),
    ),
    ...listsOf('exclude').map(
      (names): Accepts =>
        ({ tag }) =>
          !names.every((name) => isInCategory(tag, name)),
    ),
  ];
}
