import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { compiledTree } from '../../compiled-tree.js';

/** 300 MB of garbage that was old, beside 60 MB that live: prints the full collections. */
const churn = `
  import { PerformanceObserver, constants } from 'node:perf_hooks';
  const { limitHeapGrowth } = await import('#platform/lifecycle/limit-heap-growth.js');
  if (process.argv[1] === 'limited') limitHeapGrowth();
  let full = 0;
  const count = (list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) full++;
  };
  new PerformanceObserver(count).observe({ entryTypes: ['gc'] });
  globalThis.live = Array.from({ length: 300_000 }, (_, i) => ({ i, list: [i, i + 1, i + 2, String(i)] }));
  let recent = [];
  for (let round = 0; round < 2_000; round++) {
    recent.push(Array.from({ length: 2_000 }, (_, i) => ({ round, list: [i, round, i * round] })));
    if (recent.length > 150) recent = recent.slice(100);
    if (round % 20 === 0) await new Promise(setImmediate);
  }
  console.log(full);
`;

function fullCollections(kind: 'limited' | 'usual'): number {
  const args = ['--input-type=module', '--eval', churn, kind];
  return Number(execFileSync(process.execPath, args, { cwd: compiledTree }));
}

it('collects a heap before it has grown to a multiple of what lives', () => {
  const usual = fullCollections('usual');
  expect(usual).toBeGreaterThan(0);
  expect(fullCollections('limited')).toBeGreaterThanOrEqual(2 * usual);
}, 60_000);
