import { type Language, language } from './language.js';

/** A table of texts in any language: the keys of the English one, and texts of the same shape. */
export type Table<English> = English extends string
  ? string
  : English extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [Key in keyof English]: Table<English[Key]> };

/**
 * The table of the page's language, in a file of its own: no page loads texts that it does not show. A table
 * that lacks a key does not compile.
 */
export const tableOf = <English>(
  tables: Readonly<Record<Language, () => Promise<Table<English>>>>,
): Promise<Table<English>> => tables[language]();
