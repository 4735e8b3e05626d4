// The part of `docs/acceptance.md` about the modules that money, rooms, routes and closures rest on.
import { leastShare, shareOf } from '../mutants/mutant-results.js';
import { cell } from './markdown.js';

function headingOf(area, targets, { born, noticed, missing }) {
  const share = born === 0 ? [] : [`${noticed} of ${born}, ${((noticed / born) * 100).toFixed(1)} %`];
  const rest = missing.length === 0 ? [] : [`${missing.length} of ${targets.length} modules not judged`];
  return `### ${area}: ${[...share, ...rest].join('; ')}`;
}

function moduleRow(target, resultOf) {
  const [file] = target;
  const result = resultOf(target);
  if (result === undefined) return `| ${file} | not judged since it or its tests changed | | |`;
  const { born, survivors, date, commit } = result;
  const noticed = born - survivors.length;
  const on = `${date.slice(0, 10)} at ${commit.slice(0, 10)}`;
  return `| ${file} | ${noticed} of ${born} | ${on} | ${cell(survivors.join('; '))} |`;
}

/**
 * @param {Record<string, unknown[][]>} areas modules with the tests that judge them
 * @param resultOf the result of a module for the files of now, if any
 * @returns {string[]} lines of Markdown
 */
export function mutantTable(areas, resultOf) {
  const lines = [
    '## Mutants',
    '',
    '`npm run mutants` changes these modules, one place at a time: another operator, number or text, a',
    'condition that is always or never true, a call left out. The tests of `tools/mutants/targets.js` must',
    `notice ${leastShare * 100} % of those of each area. Some of the rest change nothing that a caller sees.`,
  ];
  for (const [area, targets] of Object.entries(areas)) {
    lines.push('', headingOf(area, targets, shareOf(targets, resultOf)), '');
    lines.push('| module | noticed | when | survived (line: was → to) |', '|---|---|---|---|');
    for (const target of targets) lines.push(moduleRow(target, resultOf));
  }
  return [...lines, ''];
}
