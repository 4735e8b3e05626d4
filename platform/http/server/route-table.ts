import { decodeComponent } from './parse-query.js';

export type Match<T> =
  | { readonly found: true; readonly entry: T; readonly params: Record<string, string> | undefined }
  /** The path exists, for other methods. */
  | { readonly found: false; readonly allow: readonly string[] };

/** A segment of a template: a text, or a parameter between two texts. */
interface Segment {
  readonly before: string;
  readonly name: string | undefined;
  readonly after: string;
}

interface Template<T> {
  /** The template without the names of its parameters: two that match the same paths are the same. */
  readonly shape: string;
  readonly segments: readonly Segment[];
  readonly byMethod: Map<string, T>;
}

/**
 * Finds the entry for a method and a path as sent: nothing is normalised, so `//v1` and `%2e%2e` are other
 * paths that simply do not exist. Templates hold parameters in braces, also inside a segment (`{y}.mvt`).
 */
export class RouteTable<T> {
  readonly #exact = new Map<string, Map<string, T>>();
  readonly #templates = new Map<number, Template<T>[]>();
  readonly #prefixes: { readonly prefix: string; readonly byMethod: Map<string, T> }[] = [];

  /**
   * Throws when the same method and path are added twice. A path that ends in `/*` matches everything below.
   */
  add(method: string, path: string, entry: T): void {
    const byMethod = this.#slot(path);
    if (byMethod.has(method)) throw new Error(`${method} ${path} is declared twice`);
    byMethod.set(method, entry);
  }

  find(method: string, path: string): Match<T> | undefined {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return pick(exact, method, undefined);
    for (const template of this.#templates.get(segments(path)) ?? []) {
      if (!matches(template.segments, path)) continue;
      const params = parametersOf(template.segments, path);
      return params === undefined ? undefined : pick(template.byMethod, method, params);
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
    const parts = path.slice(1).split('/').map(segmentOf);
    const shape = parts
      .map(({ before, name, after }) => `${before}${name === undefined ? '' : '{}'}${after}`)
      .join('/');
    const bucket = this.#templates.get(segments(path)) ?? [];
    this.#templates.set(segments(path), bucket);
    const known = bucket.find((template) => template.shape === shape);
    if (known !== undefined) {
      if (known.segments.some(({ name }, at) => name !== parts[at]!.name))
        throw new Error(`${path} names its parameters in two ways`);
      return known.byMethod;
    }
    const byMethod = new Map<string, T>();
    bucket.push({ shape, segments: parts, byMethod });
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

const slash = '/'.charCodeAt(0);

function segments(path: string): number {
  let count = 0;
  for (let at = 0; at < path.length; at += 1) if (path.charCodeAt(at) === slash) count += 1;
  return count;
}

function segmentOf(text: string): Segment {
  const found = /^([^{}]*)\{(\w+)\}([^{}]*)$/.exec(text);
  if (found !== null) return { before: found[1]!, name: found[2]!, after: found[3]! };
  if (text.includes('{')) throw new Error(`${text} is not a segment with one parameter`);
  return { before: text, name: undefined, after: '' };
}

/**
 * Whether a path with the same number of segments matches the template's texts and has a value for each
 * parameter.
 */
function matches(template: readonly Segment[], path: string): boolean {
  if (path.charCodeAt(0) !== slash) return false;
  let from = 1;
  for (const { before, name, after } of template) {
    const slashAt = path.indexOf('/', from);
    const to = slashAt < 0 ? path.length : slashAt;
    const rest = to - from - before.length - after.length;
    if (name === undefined ? rest !== 0 : rest < 1) return false;
    if (!path.startsWith(before, from) || !path.startsWith(after, to - after.length)) return false;
    from = to + 1;
  }
  return true;
}

/**
 * The parameters of a matching path; undefined if it has an invalid escape. The names are those of the
 * template and never the client's, so that a null prototype, which would be slower, is not needed.
 */
function parametersOf(template: readonly Segment[], path: string): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  let from = 1;
  for (const { before, name, after } of template) {
    const slashAt = path.indexOf('/', from);
    const to = slashAt < 0 ? path.length : slashAt;
    if (name !== undefined) {
      const value = decodeComponent(path.slice(from + before.length, to - after.length));
      if (value === undefined) return undefined;
      parameters[name] = value;
    }
    from = to + 1;
  }
  return parameters;
}
