import { createHash } from 'node:crypto';
import type { ObjectStore } from '#platform/object-store/object-store.js';

const standingKey = 'follow/standing.json';
const format = 'meridian-follow-1';

/**
 * The progress of a long-running builder; an object of the store, written after each release. The changes are
 * not stored: a restarted builder applies the change files again and compares them by `chain`.
 */
export interface BuilderProgress {
  /** Hash of the extract to which the changes were applied. */
  readonly extractSha256: string;
  /** Change files that the release was built of. */
  readonly files: number;
  /** Name of the last of them; empty while there is none. */
  readonly last: string;
  /** Hash of the names and contents of all of them, in their order. */
  readonly chain: string;
}

export const initialProgress = (extractSha256: string): BuilderProgress => ({
  extractSha256,
  files: 0,
  last: '',
  chain: '',
});

export function afterChange(progress: BuilderProgress, name: string, sha256: string): BuilderProgress {
  const chain = createHash('sha256').update(`${progress.chain}\n${name}\n${sha256}`).digest('hex');
  return { ...progress, files: progress.files + 1, last: name, chain };
}

/** Undefined if there is none, or it cannot be read: then the builder starts from the extract. */
export async function readProgress(objects: ObjectStore): Promise<BuilderProgress | undefined> {
  const bytes = await objects.get(standingKey);
  if (bytes === undefined) return undefined;
  let json: Partial<Record<keyof BuilderProgress | 'format', unknown>>;
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

export const writeProgress = (objects: ObjectStore, progress: BuilderProgress): Promise<void> =>
  objects.put(standingKey, new TextEncoder().encode(`${JSON.stringify({ format, ...progress })}\n`));
