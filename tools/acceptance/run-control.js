import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiledFileOf, compileModule } from '../mutants/compile-module.js';

const testMsMax = 600_000;

/** The part of a title that stands in every name made from it, as a pattern. */
function patternOf(title) {
  const [fixed] = title.split(/%[a-z#]|\$\{?/);
  return fixed.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * @param {string} root
 * @param {{ file: string, title: string }} test tests on real servers have a configuration of their own
 * @param {boolean} isAlone without the other tests of its file, which is quicker
 * @returns {{ passed: number, failed: number, broken?: string, said?: string }}
 */
export function runTest(root, { file, title }, isAlone) {
  const report = join(root, 'control-report.json');
  rmSync(report, { force: true });
  const pattern = patternOf(title);
  const config = file.endsWith('.real.test.ts') ? ['--config', 'vitest.real.config.ts'] : [];
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    file,
    // Of a copy with one mutant nearly all modules are those of the run before.
    '--experimental.fsModuleCache',
    '--bail=1',
    ...config,
    ...(isAlone ? ['-t', pattern] : []),
  ];
  const { error, stdout } = spawnSync(
    process.execPath,
    [...args, '--reporter=json', `--outputFile=${report}`],
    { cwd: root, timeout: testMsMax, killSignal: 'SIGKILL', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  if (error !== undefined) return { passed: 0, failed: 0, broken: `it did not end: ${error.message}` };
  if (!existsSync(report))
    return { passed: 0, failed: 0, broken: `it reported nothing: ${String(stdout).slice(-200)}` };
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(report);
  const own = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName }) => new RegExp(pattern).test(fullName));
  const count = (wanted) => own.filter(({ status }) => status === wanted).length;
  const said = [
    ...testResults.map(({ message }) => message),
    ...own.flatMap(({ failureMessages }) => failureMessages),
  ];
  // A file that does not load proves nothing about the test.
  const broken = said.find((text) => /Transform failed|SyntaxError|Cannot find (module|package)/.test(text));
  return {
    passed: count('passed'),
    failed: count('failed'),
    ...(broken === undefined ? {} : { broken: broken.slice(0, 200) }),
    ...(count('failed') === 0 ? {} : { said: said.filter(Boolean).join('\n').slice(0, 2_000) }),
  };
}

/** Compiles what is newer than what was compiled. */
export function build(root) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/build.js'], { cwd: root });
  if (status !== 0) throw new Error(`does not build: ${stdout}${stderr}`);
}

/** Whether what `runTest` gives is a test that ran and passed. */
export const isGood = ({ broken, failed, passed }) => broken === undefined && failed === 0 && passed > 0;

/** Without the mutant the test must pass, or its failure says nothing. */
function judgeWithout(root, evidence) {
  if (isGood(runTest(root, evidence, true))) return { isAlone: true };
  const whole = runTest(root, evidence, false);
  if (isGood(whole)) return { isAlone: false };
  const { failed, passed, broken } = whole;
  return {
    isAlone: false,
    said: `void: without the mutant ${passed} pass, ${failed} fail ${broken ?? ''}`,
  };
}

/** Several controls have one test. */
const judged = new Map();

/** @returns {{ isAlone: boolean, said?: string }} some tests depend on earlier tests of the file */
function before(root, evidence) {
  const test = `${root} ${evidence.file} ${evidence.title}`;
  if (!judged.has(test)) judged.set(test, judgeWithout(root, evidence));
  return judged.get(test);
}

/**
 * Changes the source, and the compiled module that programs and threads run.
 *
 * @returns {() => void} undoes it; the compiler sees no file that is newer than what it compiled
 */
function mutate(root, path, mutant) {
  const undone = [path, ...(/\.tsx?$/.test(path) ? [compiledFileOf('', path)] : [])]
    .map((name) => join(root, name))
    .filter((file) => existsSync(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8'), stat: statSync(file) }));
  writeFileSync(join(root, path), mutant);
  if (undone.length > 1) writeFileSync(undone[1].file, compileModule(mutant));
  return () => {
    for (const { file, text, stat } of undone) {
      writeFileSync(file, text);
      utimesSync(file, stat.atime, stat.mtime);
    }
  };
}

/** Sources of the page, which a browser gets as a bundle. */
const inPage = /^(?:web|location-client)\//;
const mayBeInPage = /^(?:web|location-client|schemas)\//;

/**
 * @param {string} root of a copy of the project, with what is compiled
 * @param {object} evidence with a mutant as its control
 * @param {boolean} isBuilt whether the test runs compiled files
 * @param {boolean} hasPassed the test has just passed without the mutant, alone
 * @returns {string} `red`, or what came instead
 */
export function runControl(root, evidence, isBuilt, hasPassed = false) {
  const { in: path, change, to } = evidence.control;
  const { isAlone, said } = hasPassed ? { isAlone: true } : before(root, evidence);
  if (said !== undefined) return said;
  const undo = mutate(
    root,
    path,
    readFileSync(join(root, path), 'utf8').replace(change, () => to),
  );
  let isBundled = false;
  try {
    let ran = isBuilt && inPage.test(path) ? undefined : runTest(root, evidence, isAlone);
    if (isBuilt && mayBeInPage.test(path) && !(ran?.failed > 0)) {
      isBundled = true;
      build(root);
      ran = runTest(root, evidence, isAlone);
    }
    const { passed, failed, broken } = ran;
    if (broken !== undefined) return `void: ${broken}`;
    if (passed + failed === 0) return 'void: with the mutant the test did not run';
    return failed > 0 ? 'red' : `GREEN: ${passed} pass with the mutant`;
  } catch (error) {
    return `void: ${error.message}`;
  } finally {
    undo();
    if (isBundled) rebuild(root);
  }
}

/** The bundle is as old as the mutant's sources were. */
function rebuild(root) {
  rmSync(join(root, 'dist/web/index.html'), { force: true });
  build(root);
}
