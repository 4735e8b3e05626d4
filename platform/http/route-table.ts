import { decodeComponent } from './parse-query.js';

export type Match<T> =
  | { readonly found: true; readonly entry: T; readonly params: Record<string, string> | undefined }
  /** The path exists, for other methods. */
  | { readonly found: false; readonly allow: readonly string[] };

interface Template<T> {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly byMethod: Map<string, T>;
}

/**
 * Finds the entry for a method and a path as sent: nothing is normalised, so `//v1` and `%2e%2e` are other paths that
 * simply do not exist. Templates hold parameters in braces, also inside a segment (`{y}.mvt`).
 */
export class RouteTable<T> {
  readonly #exact = new Map<string, Map<string, T>>();
  readonly #templates = new Map<number, Template<T>[]>();
  readonly #prefixes: { readonly prefix: string; readonly byMethod: Map<string, T> }[] = [];

  /** Throws when the same method and path are added twice. A path that ends in `/*` matches everything below. */
  add(method: string, path: string, entry: T): void {
    const byMethod = this.#slot(path);
    if (byMethod.has(method)) throw new Error(`${method} ${path} is declared twice`);
    byMethod.set(method, entry);
  }

  find(method: string, path: string): Match<T> | undefined {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return pick(exact, method, undefined);
    for (const template of this.#templates.get(segments(path)) ?? []) {
      const values = template.pattern.exec(path);
      if (values === null) continue;
      // Its names are those of the template and never the client's, so that it needs no null prototype, which would be slower.
      const params: Record<string, string> = {};
      for (let at = 0; at < template.names.length; at++) {
        const value = decodeComponent(values[at + 1] ?? '');
        if (value === undefined) return undefined;
        params[template.names[at]!] = value;
      }
      return pick(template.byMethod, method, params);
    }
    const below = this.#prefixes.find(({ prefix }) => path.startsWith(prefix));
    return below === undefined ? undefined : pick(below.byMethod, method, undefined);
  }

  #slot(path: string): Map<string, T> {
    if (path.endsWith('/*')) {
      const prefix = path.slice(0, -1);
      const known = this.#prefixes.find((candidate) => candidate.prefix === prefix);
      if (known !== undefined) return known.byMethod;
      const byMethod = new Map<string, T>();
      this.#prefixes.push({ prefix, byMethod });
      this.#prefixes.sort((left, right) => right.prefix.length - left.prefix.length);
      return byMethod;
    }
    if (!path.includes('{')) {
      const byMethod = this.#exact.get(path) ?? new Map<string, T>();
      this.#exact.set(path, byMethod);
      return byMethod;
    }
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
    const source = path
      .split(/\{\w+\}/)
      .map((literal) => literal.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'))
      .join('([^/]+?)');
    const pattern = new RegExp(`^${source}$`);
    const bucket = this.#templates.get(segments(path)) ?? [];
    this.#templates.set(segments(path), bucket);
    const known = bucket.find((template) => template.pattern.source === pattern.source);
    if (known !== undefined) {
      if (known.names.join() !== names.join()) throw new Error(`${path} names its parameters in two ways`);
      return known.byMethod;
    }
    const byMethod = new Map<string, T>();
    bucket.push({ pattern, names, byMethod });
    return byMethod;
  }
}

function pick<T>(
  byMethod: Map<string, T>,
  method: string,
  params: Record<string, string> | undefined,
): Match<T> {
  const entry = byMethod.get(method) ?? (method === 'HEAD' ? byMethod.get('GET') : undefined);
  if (entry !== undefined) return { found: true, entry, params };
  const allow = [...byMethod.keys()];
  if (byMethod.has('GET')) allow.push('HEAD');
  return { found: false, allow: [...allow, 'OPTIONS'] };
}

function segments(path: string): number {
  let count = 0;
  for (let at = 0; at < path.length; at += 1) if (path[at] === '/') count += 1;
  return count;
}
