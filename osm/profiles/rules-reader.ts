import type { Tags } from '#schemas/osm-sink.js';
import type { Country } from '../countries/country-at.js';
import { readRules, type WayRules } from './read-way.js';

/** Tags that do not affect access or speed: names, signs, sources, appearance. */
export const labels: ReadonlySet<string> = new Set([
  ...[
    'name',
    'alt_name',
    'int_name',
    'loc_name',
    'official_name',
    'old_name',
    'short_name',
    'ref',
    'source_ref',
  ],
  ...['created_by', 'description', 'fixme', 'note', 'source', 'website', 'wikidata', 'wikipedia'],
  ...['layer', 'lanes', 'step_count'],
]);
const isLabel = (key: string): boolean =>
  labels.has(key) || (key.charCodeAt(0) === 110 && key.startsWith('name:'));

/** Cached kinds of ways. */
const kindsMax = 100_000;

/**
 * Reads the ways of an extract. Most share their tags, except for names, with many others, so each
 * combination is read once.
 */
export class RulesReader {
  /**
   * Shared by the process, because an extract is read for its roads and for its places; cleared when it is
   * full.
   */
  static readonly #known = new Map<string, WayRules | undefined>();

  /** Like `readRules`. Ways with the same rules share one object. */
  read(tags: Tags, lengthM: number, country: Country | undefined): WayRules | undefined {
    // The speed of a ferry follows from its length.
    if (tags.has('duration')) return readRules(tags, lengthM, country);
    let key = country === undefined ? '' : `${country.code}\n`;
    for (const [name, value] of tags) if (!isLabel(name)) key += `${name}=${value}\n`;
    const known = RulesReader.#known;
    let rules = known.get(key);
    if (rules === undefined && !known.has(key)) {
      if (known.size >= kindsMax) known.clear();
      rules = readRules(tags, lengthM, country);
      known.set(key, rules);
    }
    return rules;
  }
}
