import { readFileSync } from 'node:fs';
import ts from 'typescript';

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

/**
 * Where a text may be replaced and by what; types and messages for people are not changed. `name` is that of
 * the top-level statement that contains the place.
 */
export function mutantsOf(file, from) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const mutants = [];
  const lineOf = (place) => source.getLineAndCharacterOfPosition(place).line + 1;
  let name;
  const add = (node, to) => {
    const start = node.getStart(source);
    mutants.push({
      file,
      start,
      end: node.getEnd(),
      was: node.getText(source),
      to,
      name,
      line: lineOf(start),
    });
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
    // Whole sentences are for people; everything else is a rule.
    if (ts.isStringLiteral(node) && !/ \S+ .*[.:]$/.test(node.text) && !ts.isPropertyAssignment(node.parent))
      add(node, "'mutant'");
    if (ts.isPropertyAssignment(node) && ts.isStringLiteral(node.initializer))
      add(node.initializer, "'mutant'");
    ts.forEachChild(node, visit);
  };
  const begin = from === undefined ? source : source.statements.find((one) => one.name?.text === from);
  // The named function and the plain functions after it, which it uses.
  const visited =
    begin === source
      ? source.statements
      : source.statements.filter((one) => one.pos >= begin.pos && !one.getText(source).startsWith('async'));
  for (const one of visited) {
    name = (one.name ?? one.declarationList?.declarations[0]?.name)?.getText(source);
    visit(one);
  }
  return mutants;
}
