import { createHash } from 'node:crypto';
import type { ObjectStore } from '#platform/object-store/object-store.js';

const standingKey = 'follow/standing.json';
const format = 'meridian-follow-1';

/**
 * How far a builder that stays has come; an object of the store, written after each release. The changes
 * themselves are not kept: a builder that starts again does them again from their files, and knows by `chain`
 * that they are the same.
 */
export interface Standing {
  /** Of the extract that the changes were done to. */
  readonly extractSha256: string;
  /** Change files that the release was built of. */
  readonly files: number;
  /** Name of the last of them; empty while there is none. */
  readonly last: string;
  /** Hash of the names and contents of all of them, in their order. */
  readonly chain: string;
}

export const beginning = (extractSha256: string): Standing => ({
  extractSha256,
  files: 0,
  last: '',
  chain: '',
});

export function afterChange(standing: Standing, name: string, sha256: string): Standing {
  const chain = createHash('sha256').update(`${standing.chain}\n${name}\n${sha256}`).digest('hex');
  return { ...standing, files: standing.files + 1, last: name, chain };
}

/** Undefined when there is none, or when it cannot be read: then it is as if the builder never ran. */
export async function readStanding(objects: ObjectStore): Promise<Standing | undefined> {
  const bytes = await objects.get(standingKey);
  if (bytes === undefined) return undefined;
  let json: Partial<Record<keyof Standing | 'format', unknown>>;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes)) as typeof json;
  } catch {
    return undefined;
  }
  const { extractSha256, files, last, chain } = json ?? {};
  const isWhole =
    json?.format === format &&
    typeof extractSha256 === 'string' &&
    typeof last === 'string' &&
    typeof chain === 'string' &&
    Number.isSafeInteger(files) &&
    (files as number) >= 0;
  return isWhole ? { extractSha256, files: files as number, last, chain } : undefined;
}

export const writeStanding = (objects: ObjectStore, standing: Standing): Promise<void> =>
  objects.put(standingKey, new TextEncoder().encode(`${JSON.stringify({ format, ...standing })}\n`));
