import { existsSync, readFileSync } from 'node:fs';

/** @returns {object[] | undefined} what vitest's JSON report says of each file, if the run left a report. */
export const readFiles = (path) =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).testResults : undefined;

/**
 * @returns {{ file: string, test: string, why: string }[]} what failed. A suite that broke before its first
 * test has no failed test of its own and counts as one.
 */
export function failuresOf({ name: file, status, message, assertionResults }) {
  const failed = assertionResults.filter((result) => result.status === 'failed');
  if (failed.length === 0 && status === 'failed') return [{ file, test: 'the suite', why: message }];
  return failed.map(({ fullName: test, failureMessages }) => ({
    file,
    test,
    why: failureMessages.join('\n'),
  }));
}
