import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { timeouts } from '../../vitest.timeouts.js';
import { compiledFileOf, compileModule } from './compile-module.js';

/** The limit of CPU time ends loops on a busy machine too; this timeout ends endless waits. */
const waitMsMax = 600_000;
const noStart = /\[vitest-pool[^\]]*\]: (Timeout|Failed to start)/;

/**
 * Runs test files of a checkout against mutants, one at a time, in one Vitest that keeps running.
 *
 * @param {string} root the folder of the checkout, with a slash at its end; becomes the working folder
 */
export async function openTestRuns(root) {
  process.chdir(root);
  restoreCompiled(root);
  process.on('exit', () => {
    restoreCompiled(root);
    killWorkers();
  });
  const require = createRequire(join(root, 'package.json'));
  const { createVitest } = await import(pathToFileURL(require.resolve('vitest/node')).href);
  // Older checkouts name their sources by a condition.
  const imports = JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).imports);
  const resolve = imports.includes('"source"') ? { conditions: ['source'] } : {};
  let current;
  const start = async () => {
    const started = await createVitest(
      'test',
      {
        watch: false,
        reporters: [{}],
        silent: true,
        maxWorkers: 1,
        bail: 1,
        plugins: undefined,
        // One project for all files, without what a run prepares for them: a mutant would stay in it.
        config: false,
        // Time of a worker's start on a busy machine.
        testTimeout: 3 * timeouts.testTimeout,
        hookTimeout: 3 * timeouts.hookTimeout,
        expect: { poll: { timeout: 3 * timeouts.expect.poll.timeout } },
        include: ['tests/**/*.test.ts'],
      },
      {
        root,
        resolve,
        ssr: { resolve },
        plugins: [
          {
            name: 'mutant',
            enforce: 'pre',
            transform(code, id) {
              if (current === undefined || id !== `${root}${current.file}`) return undefined;
              return mutated(code, current);
            },
          },
        ],
      },
    );
    // Vitest's own handler ends the process, and prints nothing where it is silent.
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', (error) => console.error(error));
    return started;
  };
  let vitest = await start();

  /** Previously loaded modules have another mutant, or none. */
  function forget(mutant) {
    if (mutant === undefined) return;
    for (const project of vitest.projects)
      for (const { moduleGraph } of Object.values(project.vite.environments))
        for (const module of moduleGraph.getModulesByFile(`${root}${mutant.file}`) ?? [])
          moduleGraph.invalidateModule(module);
  }

  /** Messages of the failed tests; `undefined` if they did not end within this CPU time. */
  async function failures(tests, mutant, cpuMsMax, attempts = 3) {
    forget(current);
    forget(mutant);
    current = mutant;
    if (mutant !== undefined) changeCompiled(root, mutant);
    const specifications = await Promise.all(
      tests.map((test) => vitest.projects[0].createSpecification(`${root}${test}`)),
    );
    let timer;
    const began = Date.now();
    const stopped = new Promise((resolve) => {
      timer = setInterval(() => {
        const waited = Date.now() - began > waitMsMax;
        if (waited || cpuMsOf(workers()) > cpuMsMax) resolve({ failed: waited ? ['timed out'] : undefined });
      }, 2_000);
    });
    const running = vitest.runTestSpecifications(specifications, true);
    const ended = await Promise.race([running, stopped]).finally(() => clearInterval(timer));
    restoreCompiled(root);
    if (!('testModules' in ended)) {
      // It would wait for the ended worker.
      running.catch(() => {});
      killWorkers();
      vitest = await start();
      return ended.failed;
    }
    const failed = failuresOf(ended, tests);
    // If the machine is too busy to start a worker, the mutant has no result.
    if (attempts === 1 || !failed.some((message) => noStart.test(message))) return failed;
    return failures(tests, mutant, cpuMsMax, attempts - 1);
  }

  /** Vitest keeps the messages of earlier files. */
  const failuresOf = ({ unhandledErrors, testModules }, tests) => [
    ...unhandledErrors.map(({ message }) => message),
    ...testModules
      .filter((module) => tests.some((test) => module.moduleId === `${root}${test}`) && !module.ok())
      .map((module) => {
        const failed = [...module.children.allTests('failed')].flatMap((test) => test.result().errors);
        const errors = [...module.errors(), ...failed].map(({ message }) => message);
        return `${module.moduleId} ${module.state()} ${errors.join()}`;
      }),
  ];

  return {
    failures,
    /** `unborn` is a mutant that no database accepts: it is not counted. */
    async judge(tests, mutant, cpuMsMax) {
      const failed = await failures(tests, mutant, cpuMsMax);
      if (failed === undefined) return 'stopped';
      if (failed.some((message) => /syntax error at/.test(message))) return 'unborn';
      return failed.length > 0 ? 'noticed' : 'survived';
    },
    close: () => vitest.close(),
  };
}

/** Workers of this Vitest, with the CPU time of each as `ps` writes it: days-hours:minutes:seconds. */
function workers() {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,time=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, parent, , ...args]) => Number(parent) === process.pid && /vitest.dist.workers/.test(args.join()),
    )
    .map(([id, , time]) => ({ id: Number(id), time }));
}

const cpuMsOf = (some) =>
  Math.max(0, ...some.map(({ time }) => secondsOf(time.replace('-', ':').split(':')) * 1_000));

const secondsOf = (parts) =>
  parts.toReversed().reduce((sum, part, i) => sum + Number(part) * [1, 60, 3_600, 86_400][i], 0);

/** A worker in an endless loop reacts to nothing else. */
function killWorkers() {
  for (const { id } of workers()) process.kill(id, 'SIGKILL');
}

const mutated = (code, { start, end, to }) => code.slice(0, start) + to + code.slice(end);

/** The compiled file that is mutated and its content: the next run restores it after a crash. */
const kept = (root) => join(root, 'dist', '.mutated.json');

/** Programs and worker threads that a test starts run the compiled file. */
function changeCompiled(root, mutant) {
  restoreCompiled(root);
  const file = compiledFileOf(root, mutant.file);
  if (!existsSync(file)) return;
  const text = readFileSync(file, 'utf8');
  writeFileSync(kept(root), JSON.stringify({ file, text }));
  const source = mutated(readFileSync(join(root, mutant.file), 'utf8'), mutant);
  writeFileSync(file, compileModule(source));
}

function restoreCompiled(root) {
  if (!existsSync(kept(root))) return;
  const { file, text } = JSON.parse(readFileSync(kept(root), 'utf8'));
  writeFileSync(file, text);
  rmSync(kept(root));
}
