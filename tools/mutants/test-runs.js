import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { timeouts } from '../../vitest.timeouts.js';

/**
 * Runs test files of a checkout against mutants, one at a time, in a Vitest that stays.
 *
 * @param {string} root the folder of the checkout, with a slash at its end; becomes the working folder
 */
export async function openTestRuns(root) {
  process.chdir(root);
  restoreCompiled(root);
  process.on('exit', () => restoreCompiled(root));
  const require = createRequire(join(root, 'package.json'));
  const { createVitest } = await import(pathToFileURL(require.resolve('vitest/node')).href);
  // Older checkouts name their sources by a condition.
  const imports = JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).imports);
  const resolve = imports.includes('"source"') ? { conditions: ['source'] } : {};
  let current;
  const vitest = await createVitest(
    'test',
    {
      watch: false,
      reporters: [{}],
      silent: true,
      maxWorkers: 1,
      bail: 1,
      plugins: undefined,
      // One project for all files; the run's own configuration has several.
      config: false,
      ...timeouts,
      include: ['tests/**/*.test.ts'],
      globalSetup: ['tests/prepared-map.ts'],
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

  /** What was loaded before holds another mutant, or none. */
  function forget(mutant) {
    if (mutant === undefined) return;
    for (const project of vitest.projects)
      for (const { moduleGraph } of Object.values(project.vite.environments))
        for (const module of moduleGraph.getModulesByFile(`${root}${mutant.file}`) ?? [])
          moduleGraph.invalidateModule(module);
  }

  /** What the tests that failed say; `undefined` if they did not end in time. */
  async function failures(tests, mutant, msMax) {
    forget(current);
    forget(mutant);
    current = mutant;
    if (mutant !== undefined) changeCompiled(root, mutant);
    const specifications = await Promise.all(
      tests.map((test) => vitest.projects[0].createSpecification(`${root}${test}`)),
    );
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(() => {
        void vitest.cancelCurrentRun('test-failure');
        resolve('late');
      }, msMax);
    });
    try {
      const running = vitest.runTestSpecifications(specifications, true);
      const result = await Promise.race([running, late]);
      if (result !== 'late') return failuresOf(result, tests);
      await running.catch(() => {});
      return undefined;
    } finally {
      clearTimeout(timer);
      restoreCompiled(root);
    }
  }

  /** Vitest keeps what other files said before. */
  const failuresOf = ({ unhandledErrors, testModules }, tests) => [
    ...unhandledErrors.map(({ message }) => message),
    ...testModules
      .filter((module) => tests.some((test) => module.moduleId === `${root}${test}`) && !module.ok())
      .map((module) => {
        const errors = module.errors().map(({ message }) => message);
        return `${module.moduleId} ${module.state()} ${errors.join()}`;
      }),
  ];

  return {
    failures,
    /** `unborn` is a mutant that no database takes: it is nobody's merit and is not counted. */
    async judge(tests, mutant, msMax) {
      const failed = await failures(tests, mutant, msMax);
      if (failed === undefined) return 'stopped';
      if (failed.some((message) => /syntax error at/.test(message))) return 'unborn';
      return failed.length > 0 ? 'noticed' : 'survived';
    },
    close: () => vitest.close(),
  };
}

const mutated = (code, { start, end, to }) => code.slice(0, start) + to + code.slice(end);

/** The compiled file that is mutated and what it held, on disk so that the next run restores it after a crash. */
const kept = (root) => join(root, 'dist', '.mutated.json');

/** Programs and worker threads that a test starts run the compiled file. */
function changeCompiled(root, mutant) {
  const file = join(root, 'dist', mutant.file.replace(/\.ts$/, '.js'));
  if (!existsSync(file)) return;
  const text = readFileSync(file, 'utf8');
  writeFileSync(kept(root), JSON.stringify({ file, text }));
  const source = mutated(readFileSync(join(root, mutant.file), 'utf8'), mutant);
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  writeFileSync(file, ts.transpileModule(source, { compilerOptions }).outputText);
}

function restoreCompiled(root) {
  if (!existsSync(kept(root))) return;
  const { file, text } = JSON.parse(readFileSync(kept(root), 'utf8'));
  writeFileSync(file, text);
  rmSync(kept(root));
}
