import type { PlaceFacts } from '../ports/place-finder.js';

type Tag = NonNullable<PlaceFacts['tag']>;
type TagTest = (tag: Tag) => boolean;

interface TagFilter {
  readonly kind: 'include' | 'exclude';
  readonly test: TagTest;
}

/**
 * `key`, `key:value`, `:value`, each with `!` in front to exclude, and `key:!value`, another value of the
 * key. Undefined for other forms.
 */
export function readTagFilter(text: string): TagFilter | undefined {
  const parts = text.split(':');
  if (parts.length > 2) return undefined;
  const [first = '', second] = parts;
  const isExcluded = first.startsWith('!');
  const key = (isExcluded ? first.slice(1) : first).trim();
  if (second === undefined)
    return key === ''
      ? undefined
      : { kind: isExcluded ? 'exclude' : 'include', test: (tag) => tag.key === key };
  const isOther = second.startsWith('!');
  const value = (isOther ? second.slice(1) : second).trim();
  if (value === '') return undefined;
  if (isOther && key !== '' && !isExcluded)
    return { kind: 'include', test: (tag) => tag.key === key && tag.value !== value };
  return {
    kind: isExcluded || isOther ? 'exclude' : 'include',
    test: (tag) => tag.value === value && (key === '' || tag.key === key),
  };
}

/** Whether a tag fits one of those that include, if there are any, and none that excludes. */
export function fitsTags(filters: readonly TagFilter[]): (tag: Tag | undefined) => boolean {
  const [included, excluded] = (['include', 'exclude'] as const).map((kind) =>
    filters.filter((filter) => filter.kind === kind),
  ) as [TagFilter[], TagFilter[]];
  return (tag) => {
    if (tag === undefined) return included.length === 0;
    return (
      (included.length === 0 || included.some(({ test }) => test(tag))) &&
      !excluded.some(({ test }) => test(tag))
    );
  };
}

/** A category of two to four labels, the first of which is its group. */
const category = /^[\w-]+(?:\.[\w-]+){1,3}$/;

/** The categories of a list; undefined if one is malformed. */
export function readCategories(text: string): string[] | undefined {
  const names = text.split(',');
  return names.every((name) => category.test(name)) ? names : undefined;
}

/**
 * Whether a place is in a category. The categories of a place are those of its tag: `osm.tourism` and
 * `osm.tourism.hotel`.
 */
export function isInCategory(tag: Tag | undefined, name: string): boolean {
  if (tag === undefined) return false;
  return name === `osm.${tag.key}` || name === `osm.${tag.key}.${tag.value}`;
}
