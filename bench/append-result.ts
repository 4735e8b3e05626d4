import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

const git = (...args: string[]): string => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim();

/** Appends one line to `bench/results.ndjson`: the figures with commit, time and machine. */
export function appendResult(question: string, figures: object): void {
  const dirty = git('status', '--porcelain', '--untracked-files=no') !== '';
  const line = {
    question,
    at: new Date().toISOString(),
    commit: git('rev-parse', '--short', 'HEAD') + (dirty ? '+' : ''),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryGib: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
    ...figures,
  };
  appendFileSync('bench/results.ndjson', `${JSON.stringify(line)}\n`);
}

/** Least, median and greatest of a few rounds. */
export function spread(values: readonly number[]): { least: number; median: number; greatest: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => Number(sorted[index]!.toPrecision(4));
  return { least: at(0), median: at(Math.floor((sorted.length - 1) / 2)), greatest: at(sorted.length - 1) };
}
