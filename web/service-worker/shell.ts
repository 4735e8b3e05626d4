/** Set by the bundler: a digest of the page and all files that it loads, and their paths. */
declare const SHELL: { readonly version: string; readonly files: readonly string[] };

const prefix = 'meridian-shell-';
const name = prefix + SHELL.version;

/** All or nothing: a page with half of its files would be worse than none. */
export async function keepShell(): Promise<void> {
  const cache = await caches.open(name);
  // The browser's own cache may still have the page of the version before; names of files name their content.
  await cache.addAll([new Request('/', { cache: 'no-cache' }), ...SHELL.files]);
}

export async function forgetOldShells(): Promise<void> {
  const old = (await caches.keys()).filter((each) => each.startsWith(prefix) && each !== name);
  await Promise.all(old.map((each) => caches.delete(each)));
}

/** A file of the page as it was installed; undefined for any other. */
export async function fromShell(path: string): Promise<Response | undefined> {
  const cache = await caches.open(name);
  return cache.match(path, { ignoreVary: true });
}
