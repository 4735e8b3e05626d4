// The statements `proves(row, { … })` of a file, from its syntax tree: nothing is run.
import ts from 'typescript';

const texts = ['asked', 'shown', 'scaled', 'missing', 'proof'];
const known = new Set([...texts, 'settings', 'control', 'from']);

/** The value of a literal; anything else is an error, since it can only be known at run time. */
function literal(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(literal);
  if (ts.isObjectLiteralExpression(node))
    return Object.fromEntries(node.properties.map((one) => [one.name?.getText(), literal(one.initializer)]));
  throw new Error(`is not a literal: ${node.getText()}`);
}

/** Texts of a test that are its title or are put into it: not those within its body. */
function titles(node) {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return [node.getText()];
  if (ts.isFunctionLike(node)) return [];
  const found = [];
  ts.forEachChild(node, (child) => {
    found.push(...titles(child));
  });
  return found;
}

function isTest(statement) {
  if (statement === undefined || !ts.isExpressionStatement(statement)) return false;
  let callee = statement.expression;
  if (!ts.isCallExpression(callee)) return false;
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  return ts.isIdentifier(callee) && ['it', 'test', 'describe'].includes(callee.text);
}

const named = (text) => text.match(/\b(?:[MHP]-\d{3}|F\d{1,2})\b/g) ?? [];

/** The title itself is the first text of the last call; the rest may be a table of cases. */
function titleOf(statement) {
  const [first] = statement.expression.arguments;
  return first !== undefined && ts.isStringLiteralLike(first)
    ? first.text
    : (titles(statement)[0] ?? '').replace(/^[`'"]|[`'"]$/g, '');
}

function wrongOf({ row, evidence }, rows) {
  const wrong = [];
  if (!rows.has(row)) wrong.push(`${row} is no row of tools/acceptance/rows.json`);
  for (const field of ['asked', 'shown'])
    if ((evidence[field] ?? '').trim() === '') wrong.push(`${row} lacks its figure: '${field}'`);
  for (const field of Object.keys(evidence)) if (!known.has(field)) wrong.push(`${row}: unknown '${field}'`);
  for (const field of texts)
    if (evidence[field] !== undefined && typeof evidence[field] !== 'string')
      wrong.push(`${row}: '${field}' is no text`);
  if (evidence.from !== undefined && evidence.from !== 'outside')
    wrong.push(`${row}: 'from' is not 'outside'`);
  return wrong;
}

/**
 * @param {string} file path from the root; a bench needs no test below the statement
 * @param {string} text
 * @param {ReadonlySet<string>} rows all rows that there are
 * @returns {{ found: object[], wrong: string[] }}
 */
export function readEvidence(file, text, rows) {
  const found = [];
  const wrong = [];
  if (!text.includes('proves(')) return { found, wrong };
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const visit = (node) => {
    const call = ts.isExpressionStatement(node) ? node.expression : undefined;
    if (call === undefined || !ts.isCallExpression(call) || call.expression.getText() !== 'proves') {
      ts.forEachChild(node, visit);
      return;
    }
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const say = (what) => wrong.push(`${file}:${line}: ${what}`);
    try {
      const [row, evidence] = call.arguments.map(literal);
      for (const what of wrongOf({ row, evidence }, rows)) say(what);
      const block = node.parent.statements;
      // Several rows may be stated for one test.
      const next = block.slice(block.indexOf(node) + 1).find((one) => !one.getText().startsWith('proves('));
      const entry = { row, file, line, ...evidence };
      if (isTest(next)) {
        entry.title = titleOf(next);
        entry.test = next.getText();
        if (!titles(next).some((title) => named(title).includes(row)))
          say(`the title of the test below does not name ${row}: ${entry.title}`);
      } else if (!file.startsWith('bench/')) say(`${row}: no test follows`);
      found.push(entry);
    } catch (error) {
      say(error.message);
    }
  };
  visit(source);
  return { found, wrong };
}
