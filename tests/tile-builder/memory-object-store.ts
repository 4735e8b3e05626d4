import type { ObjectStore } from '#platform/object-store/object-store.js';

/** An object store that lasts as long as the process, and that a test can read directly and damage. */
export class MemoryObjectStore implements ObjectStore {
  readonly objects = new Map<string, Uint8Array>();
  /** Called before every put; throws to simulate a crash. */
  beforePut: (key: string) => void = () => {};

  /** Transforms stored bytes for a reader; simulates a bad connection. */
  afterGet: (key: string, bytes: Uint8Array | undefined) => Uint8Array | undefined = (_, bytes) => bytes;

  get(key: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.afterGet(key, this.objects.get(key)));
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.beforePut(key);
    await Promise.resolve();
    // Like a disk: the caller may overwrite the bytes once the put has resolved.
    this.objects.set(key, Uint8Array.from(bytes));
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    if (this.objects.has(key)) return false;
    await this.put(key, bytes);
    return true;
  }

  async *list(prefix: string): AsyncIterable<string> {
    for (const key of [...this.objects.keys()].sort()) if (key.startsWith(prefix)) yield key;
  }

  delete(key: string): Promise<void> {
    this.objects.delete(key);
    return Promise.resolve();
  }

  check(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
