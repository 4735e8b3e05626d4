import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A bench ends by printing its figures as JSON; scalars and short lists are kept. */
function lastJson(text) {
  const lines = `\n${text}`;
  try {
    return JSON.parse(lines.slice(lines.lastIndexOf('\n{')));
  } catch {
    return undefined;
  }
}

const isShort = (value) => JSON.stringify(value).length <= 400;
const shortened = (figures) =>
  Object.fromEntries(Object.entries(figures).filter(([, value]) => isShort(value)));

function figuresOfTests(report) {
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = JSON.parse(report);
  return { tests: passed, failed, skipped };
}

/**
 * @param {object} proof
 * @param {string} root
 * @returns {Promise<{ outcome: 'passed' | 'failed' | 'interrupted', seconds: number, figures: object }>}
 */
export async function runProof(proof, root) {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-prove-'));
  const report = join(folder, 'report.json');
  const isTest = proof.command[0].includes('vitest');
  const reporting = isTest ? ['--reporter=default', '--reporter=json', `--outputFile=${report}`] : [];
  const started = performance.now();
  const child = spawn(process.execPath, [...proof.command, ...reporting], {
    cwd: root,
    env: { ...process.env, ...proof.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
    process.stdout.write(chunk);
  });
  // Ctrl-C reaches the child by itself; this process stays until it has ended.
  let interrupted = false;
  const onSignal = (signal) => {
    interrupted = true;
    if (signal === 'SIGTERM') child.kill(signal);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const [code, signal] = await new Promise((resolve) => {
    child.on('close', (...ended) => resolve(ended));
  });
  process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  const seconds = Math.round((performance.now() - started) / 1_000);
  try {
    if (interrupted || signal !== null) return { outcome: 'interrupted', seconds, figures: {} };
    const figures = isTest ? figuresOfTests(readFileSync(report, 'utf8')) : lastJson(printed);
    if (figures === undefined && code === 0) console.error('the run printed no figures on standard output');
    // A run of which everything was skipped shows nothing.
    const holds = isTest
      ? figures.tests > 0 && figures.skipped === 0
      : figures !== undefined && (proof.holds?.(figures) ?? true);
    return { outcome: code === 0 && holds ? 'passed' : 'failed', seconds, figures: shortened(figures ?? {}) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
