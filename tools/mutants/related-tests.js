import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Modules that a file loads: by an import, or as the compiled file that a process or a thread runs. */
const loads = [
  /^(?:import|export)(?! type\b)(?:[^;'"]*? from)? ['"]([.#][^'"]+)\.js['"]/gm,
  /\bimport\(\s*['"]([.#][^'"]+)\.js['"]/g,
];
const compiled = /(?:dist\/|compiledFile\(\s*')([\w/-]+)\.js'/g;
const starts = /'(node:child_process|node:worker_threads|piscina|playwright-core)'|(\.\.\/|')dist\//;
const command = /bin\/meridian\.js'/;

/** @returns {string[]} paths of the sources of a checkout, those of its tests too. */
export function sourcesOf(root) {
  const { stdout } = spawnSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' });
  return stdout.split('\n').filter((file) => /(?<!\.d)\.tsx?$/.test(file));
}

/** The tests of a checkout that import a module, by the number of imports between them. */
export class RelatedTests {
  #texts;
  #loaded;
  #loadedBy = new Map();
  #costs = new Map();

  constructor(root) {
    const sources = sourcesOf(root);
    this.#texts = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
    this.#loaded = new Map(sources.map((file) => [file, this.#loadsOf(file)]));
    for (const [file, others] of this.#loaded)
      for (const other of others) this.#loadedBy.set(other, [...(this.#loadedBy.get(other) ?? []), file]);
  }

  /**
   * @param {string} file the mutated module
   * @param {string | undefined} name what the mutated statement declares: tests that use it come first
   * @returns {string[]} test files, nearest first
   */
  of(file, name) {
    const [own] = file.split('/');
    const unused = (test) => (name !== undefined && this.#texts.get(test).includes(name) ? 0 : 1);
    const foreign = (test) => (test.startsWith(`tests/${own}/`) ? 0 : 1);
    return [...distances(file, (one) => this.#loadedBy.get(one) ?? [])]
      .filter(([test]) => /(?<!\.real)\.test\.ts$/.test(test))
      .map(([test, distance]) => [test, [distance, unused(test), foreign(test), this.costOf(test)]])
      .toSorted(([, a], [, b]) => a.map((each, i) => each - b[i]).find((each) => each !== 0) ?? 0)
      .map(([test]) => test);
  }

  /**
   * A rank of how long a test takes: one that starts nothing first, then by how many files it loads. The
   * fewer, the more it is about each of them.
   */
  costOf(test) {
    const known = this.#costs.get(test);
    if (known !== undefined) return known;
    const files = [...distances(test, (one) => this.#loaded.get(one)).keys()];
    const cost = files.length + (files.some((one) => starts.test(this.#texts.get(one))) ? 10_000 : 0);
    this.#costs.set(test, cost);
    return cost;
  }

  #loadsOf(file) {
    const text = this.#texts.get(file);
    const named = (path) => [`${path}.ts`, `${path}.tsx`].filter((one) => this.#texts.has(one));
    return [
      ...loads
        .flatMap((pattern) => [...text.matchAll(pattern)])
        .flatMap(([, path]) => named(path.startsWith('#') ? path.slice(1) : join(dirname(file), path))),
      ...[...text.matchAll(compiled)].flatMap(([, path]) => named(path)),
      ...(command.test(text) ? named('cli/main') : []),
    ];
  }
}

/** Breadth first: how many steps every file that can be reached is away. */
function distances(from, next) {
  const found = new Map([[from, 0]]);
  for (const [file, distance] of found)
    for (const other of next(file)) if (!found.has(other)) found.set(other, distance + 1);
  return found;
}
