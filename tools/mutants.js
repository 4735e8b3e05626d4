// Puts small faults into the modules that money rests on, one at a time, and asks the tests whether they
// notice. Prints what survived and the share that was noticed; exit code 1 below the least share.
// `npm run mutants -- place-transfers` takes the modules whose path holds the word,
// `npm run mutants -- --every 4 hotel` every fourth mutant of them.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { createVitest } from 'vitest/node';
import { timeouts } from '../vitest.timeouts.js';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const leastShare = 0.8;
/** A mutant that loops is stopped; the tests of a module take a second or two. */
const mutantMsMax = 20_000;
const sqlMutantMsMax = 120_000;

/** The rule of the inventory and the moves of a reservation are SQL, judged on a database. */
const inventoryTests = [
  'tests/hotel/reserve-one.test.ts',
  'tests/hotel/reservations.test.ts',
  'tests/hotel/inventory-guards.test.ts',
  'tests/hotel/rates.test.ts',
  'tests/hotel/reservations-stays.test.ts',
  'tests/hotel/inventory-job.test.ts',
];
const sqlFrom = (name) => ({ sql: name });

/** Modules beside the tests that judge them, and where in them the rule begins. */
const targets = [
  ['payment/money/money.ts', ['tests/payment/money.test.ts']],
  ['payment/money/currency.ts', ['tests/payment/money.test.ts']],
  ['payment/ledger/place-transfers.ts', ['tests/payment/place-transfers.test.ts']],
  ['payment/settings/settings/retry-policy.ts', ['tests/payment/orders.test.ts']],
  ['payment/orders/code-actions.ts', ['tests/payment/orders.test.ts']],
  ['payment/orders/apply-payment.ts', ['tests/payment/apply-payment.test.ts'], 'changesBy'],
  ['hotel/migrations/0002-create-inventory.ts', inventoryTests, sqlFrom('rooms_sold_at_most')],
  ['hotel/migrations/0003-create-reservations.ts', inventoryTests, sqlFrom('reservation_status_move')],
  ['hotel/migrations/0005-reserve-rooms.ts', inventoryTests, sqlFrom('night_prices')],
  ['hotel/migrations/0006-change-counts.ts', inventoryTests, sqlFrom('change_counts')],
  ['hotel/migrations/0054-reserve-one.ts', inventoryTests, sqlFrom('reserve_one')],
];

const swaps = new Map([
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.AsteriskAsteriskToken, '*'],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusEqualsToken, '-='],
  [ts.SyntaxKind.MinusEqualsToken, '+='],
]);

const sqlSwaps = [
  [/ <= /g, ' < '],
  [/ < /g, ' <= '],
  [/ >= /g, ' > '],
  [/ > /g, ' >= '],
  [/ <> /g, ' = '],
  [/(?<=\b(?:WHERE|AND|IF|WHEN|THEN|ON)\b[^\n]*) = /g, ' <> '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \* /g, ' / '],
  [/ OR /g, ' AND '],
  [/(?<!\bBETWEEN [^\n]*) AND /g, ' OR '],
  [/\bIF NOT /g, 'IF '],
  [/\bAND NOT /g, 'AND '],
  [/\bNOT EXISTS\b/g, 'EXISTS'],
  [/\bIF (?!NOT )(?=[^\n]* THEN)/g, 'IF NOT '],
  [/\bmin\(/g, 'max('],
  [/\bmax\(/g, 'min('],
  [/\bgreatest\(/g, 'least('],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/(?<=[ (])(?:0|1|10|11|50|100)(?=[ ,);])/g, (number) => String(Number(number) + 1)],
  [/\('\w+', '\w+'\)/g, "('completed', 'expired')"],
  [/(?<=IN \([^)]*)'\w+'(?=[,)])/g, "'rejected'"],
];

/**
 * The same for the SQL of a migration from the statement that makes `name` on; its comments are left alone.
 */
function sqlMutantsOf(file, name) {
  const text = readFileSync(file, 'utf8');
  const begin = text.indexOf(name, text.indexOf('sql: `'));
  const comments = [
    ...text.matchAll(/--.*$|\/\*\*[\s\S]*?\*\/|RAISE .*$|^CREATE (?:TYPE|INDEX|TABLE).*$/gm),
  ].map((match) => [match.index, match.index + match[0].length]);
  return sqlSwaps
    .flatMap(([from, to]) =>
      [...text.matchAll(from)].map(({ 0: was, index: start }) => ({
        file,
        start,
        end: start + was.length,
        was,
        to: typeof to === 'string' ? to : to(was),
      })),
    )
    .filter(({ start }) => start >= begin && !comments.some(([from, to]) => from <= start && start < to));
}

/** Where a text may be replaced and by what; types and what is only said to people are left alone. */
function mutantsOf(file, from) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const mutants = [];
  const add = (node, to) => {
    const start = node.getStart(source);
    mutants.push({ file, start, end: node.getEnd(), was: node.getText(source), to });
  };
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isThrowStatement(node)) return;
    if (ts.isBinaryExpression(node)) {
      const to = swaps.get(node.operatorToken.kind);
      if (to !== undefined) add(node.operatorToken, to);
    }
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      add(condition, 'true');
      add(condition, 'false');
    }
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
    if (ts.isNumericLiteral(node)) add(node, String(Number(node.text.replaceAll('_', '')) + 1));
    if (ts.isBigIntLiteral(node))
      add(node, `${BigInt(node.text.replace(/n$/, '').replaceAll('_', '')) + 1n}n`);
    if (ts.isPrefixUnaryExpression(node) && node.operator !== ts.SyntaxKind.PlusToken)
      add(node, node.operand.getText(source));
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) add(node, ';');
    // Whole sentences are said to people; everything else is a rule.
    if (ts.isStringLiteral(node) && !/ \S+ .*[.:]$/.test(node.text) && !ts.isPropertyAssignment(node.parent))
      add(node, "'mutant'");
    if (ts.isPropertyAssignment(node) && ts.isStringLiteral(node.initializer))
      add(node.initializer, "'mutant'");
    ts.forEachChild(node, visit);
  };
  const begin = from === undefined ? source : source.statements.find((one) => one.name?.text === from);
  if (begin === source) visit(source);
  else {
    // The named function and the plain functions behind it, which it is made of.
    const after = source.statements.filter(
      (one) => one.pos >= begin.pos && !one.getText(source).startsWith('async'),
    );
    for (const one of after) visit(one);
  }
  return mutants;
}

const { values, positionals: words } = parseArgs({
  options: { every: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const every = Number(values.every);
const chosen = targets.filter(([file]) => words.length === 0 || words.some((word) => file.includes(word)));
if (!Number.isInteger(every) || every < 1 || chosen.length === 0) {
  console.error(
    'usage: npm run mutants -- [--every N] [WORD…]; N is a whole number above 0, ' +
      `each module whose path holds a word is judged: ${targets.map(([file]) => file).join(', ')}`,
  );
  process.exit(2);
}

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
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        transform(code, id) {
          if (current === undefined || id !== `${root}${current.file}`) return undefined;
          return code.slice(0, current.start) + current.to + code.slice(current.end);
        },
      },
    ],
  },
);

/** What was loaded before holds another mutant, or none. */
function forgetModules() {
  for (const project of vitest.projects)
    for (const environment of Object.values(project.vite.environments))
      environment.moduleGraph.invalidateAll();
}

const specificationsOf = (tests) =>
  Promise.all(tests.map((test) => vitest.projects[0].createSpecification(`${root}${test}`)));

/** `unborn` is a mutant that no database takes: it is nobody's merit and is not counted. */
async function judge(tests, msMax) {
  forgetModules();
  const specifications = await specificationsOf(tests);
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => {
      void vitest.cancelCurrentRun('test-failure');
      resolve('late');
    }, msMax);
  });
  const running = vitest.runTestSpecifications(specifications, true);
  const result = await Promise.race([running, late]);
  clearTimeout(timer);
  if (result === 'late') {
    await running.catch(() => {});
    return 'stopped';
  }
  const failed = failuresOf(result, tests);
  if (failed.some((message) => /syntax error at/.test(message))) return 'unborn';
  return failed.length > 0 ? 'noticed' : 'survived';
}

async function failures(tests) {
  forgetModules();
  return failuresOf(await vitest.runTestSpecifications(await specificationsOf(tests), true), tests);
}

/** Vitest keeps what other files said before. */
const failuresOf = ({ unhandledErrors, testModules }, tests) => [
  ...unhandledErrors.map(({ message }) => message),
  ...testModules
    .filter((module) => tests.some((test) => module.moduleId === `${root}${test}`) && !module.ok())
    .map(
      (module) =>
        `${module.moduleId} ${module.state()} ${module
          .errors()
          .map(({ message }) => message)
          .join()}`,
    ),
];

let all = 0;
let noticed = 0;
for (const [file, tests, from] of chosen) {
  current = undefined;
  const broken = await failures(tests);
  if (broken.length > 0) throw new Error(`The tests of ${file} fail without a mutant: ${broken.join('; ')}`);
  const ofSql = typeof from === 'object';
  const survivors = [];
  let [born, stopped] = [0, 0];
  const mutants = ofSql ? sqlMutantsOf(file, from.sql) : mutantsOf(file, from);
  for (const mutant of mutants.filter((_, index) => index % every === 0)) {
    current = mutant;
    // A file at a time: most mutants are noticed by the first, and a database takes seconds to start.
    let verdict = 'survived';
    for (const test of tests)
      if (verdict === 'survived') verdict = await judge([test], ofSql ? sqlMutantMsMax : mutantMsMax);
    if (verdict === 'unborn') continue;
    born += 1;
    if (verdict === 'survived') survivors.push(mutant);
    if (verdict === 'stopped') stopped += 1;
  }
  all += born;
  noticed += born - survivors.length;
  const share = ((1 - survivors.length / born) * 100).toFixed(1);
  const timedOut = stopped === 0 ? '' : `; ${stopped} of these did not end and were stopped`;
  console.log(`${file}: ${born - survivors.length} of ${born} noticed, ${share} %${timedOut}`);
  const lines = readFileSync(file, 'utf8');
  for (const { start, was, to } of survivors)
    console.log(`  line ${lines.slice(0, start).split('\n').length}: ${was} → ${to}`);
}
console.log(`${noticed} of ${all} mutants noticed, ${((noticed / all) * 100).toFixed(1)} %`);
await vitest.close();
process.exit(noticed / all >= leastShare ? 0 : 1);
