import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { earlierPlaces } from './earlier-places.js';
import { RelatedTests, sourcesOf } from './related-tests.js';
import { mutantsOf } from './typescript-mutants.js';

const leastOfPackage = 5;
const mostOfFile = 2;
const packages = /^(?!tests|bench|tools|docs|infra|bin|\.)[^/]+(?=\/)/;

/**
 * Mutants of all packages, by chance and repeatable: `leastOfPackage` of each, the rest by lines. Modules
 * that no test loads are left out; these are views of the pages, which browsers load from a bundle.
 *
 * @param {string} root the working folder
 * @param {{ count: number, seed: string, before?: string }} options with `before`, a checkout of an earlier
 *   commit, only statements that stand on one line there too; the mutant then has its place there as well
 */
export function drawSample(root, { count, seed, before }) {
  const related = new RelatedTests(root);
  const place = before === undefined ? (mutant) => mutant : earlierPlaces(root, before);
  const linesOf = new Map();
  const mutantsIn = new Map();
  for (const file of sourcesOf(root)) {
    const [name] = packages.exec(file) ?? [];
    if (name === undefined || related.of(file).length === 0) continue;
    const lines = readFileSync(join(root, file), 'utf8').split('\n').length;
    linesOf.set(name, (linesOf.get(name) ?? 0) + lines);
    mutantsIn.set(name, [...(mutantsIn.get(name) ?? []), ...mutantsOf(file)]);
  }
  const lines = [...linesOf.values()].reduce((sum, each) => sum + each, 0);
  const free = Math.max(0, count - leastOfPackage * linesOf.size);
  return [...mutantsIn].flatMap(([name, mutants]) => {
    const share = leastOfPackage + Math.ceil((free * linesOf.get(name)) / lines);
    const drawn = new Map();
    const sample = [];
    for (const mutant of inChanceOrder(mutants, seed)) {
      const many = drawn.get(mutant.file) ?? 0;
      const placed = many < mostOfFile && sample.length < share ? place(mutant) : undefined;
      if (placed === undefined) continue;
      drawn.set(mutant.file, many + 1);
      sample.push(placed);
    }
    return sample;
  });
}

/** The order of hashes: other changes in the package do not affect it. */
function inChanceOrder(mutants, seed) {
  const chance = ({ file, start, to }) =>
    createHash('sha256').update(`${seed} ${file} ${start} ${to}`).digest('hex');
  return mutants
    .map((mutant) => [chance(mutant), mutant])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, mutant]) => mutant);
}
