/**
 * Immutable files by key: tiles, manifests, metrics. S3-compatible at scale, a directory otherwise. Keys are
 * `/`-separated segments of 1–200 `[A-Za-z0-9._-]`, at most 512 characters, no `.` or `..` segment. A key is
 * never the folder of another: beside `a/b` there is no `a`. Every method rejects with `InvalidObjectKey` for
 * other keys and with `ObjectStoreUnavailable` when the store did not answer in time.
 *
 * ```ts
 * await objects.put('tilesets/ab12/manifest.json', bytes);
 * const bytes = await objects.get('tilesets/ab12/manifest.json'); // undefined when there is none
 * ```
 */
export interface ObjectStore {
  /** Undefined when there is no such object. */
  get(key: string): Promise<Uint8Array | undefined>;
  /**
   * Replaces atomically: a reader sees the old bytes or the new ones. Durable when it resolves; only then may
   * the caller reuse `bytes`.
   */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** False, and nothing is written, if the key exists. */
  putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean>;
  /** Keys that begin with `prefix`, in lexical order. */
  list(prefix: string): AsyncIterable<string>;
  delete(key: string): Promise<void>;
  check(): Promise<void>;
  close(): Promise<void>;
}

export class InvalidObjectKey extends Error {
  override readonly name = 'InvalidObjectKey';
}

/** The store did not answer; the same call may succeed later. A put may have had its effect. */
export class ObjectStoreUnavailable extends Error {
  override readonly name = 'ObjectStoreUnavailable';
  readonly retriable = true;
}
