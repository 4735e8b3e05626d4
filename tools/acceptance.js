// `docs/acceptance.md`: every row of the acceptance tables with the tests that name it in their title.
// `node tools/acceptance.js` writes the page; with --check it exits with 1 when the page is not true any
// more.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs/acceptance.md');

/** Section → rows; `M-001…009` is a range. */
const rows = {
  'Map and navigation': {
    'Location service': ['M-001…009'],
    'Navigation service': ['M-020…028'],
    'Routing tiles': ['M-040…044'],
    'Live rerouting': ['M-060…065'],
    Geocoding: ['M-080…082'],
    'Map rendering': ['M-100…106'],
    Common: ['M-120…122'],
  },
  'Hotel reservation': {
    'Service and components': ['H-001…022'],
    Endpoints: ['H-030…041'],
    'Create-reservation fields': ['H-050…059'],
    'Inventory table and job': ['H-060…068'],
    'Rules 1–7': ['H-070…091'],
    'States, auth, events, errors, limits, versioning': [
      'H-100…102',
      'H-110…112',
      'H-120…121',
      'H-130…132',
      'H-140…142',
      'H-150',
    ],
  },
  Payment: {
    'Service, components, flows': ['P-001…013'],
    'Resources and fields': ['P-020…024', 'P-030…039'],
    States: ['P-050…054'],
    'Endpoints and hosted page': ['P-060…071'],
    Idempotency: ['P-080…089'],
    Reconciliation: ['P-100…106'],
    'Authentication and security': ['P-110…115'],
    'Events, retries, errors, limits, versioning': ['P-120…131'],
  },
};

function expand(entry) {
  const [first, last] = entry.split('…');
  const from = Number(first.slice(2));
  const to = last === undefined ? from : Number(last);
  return Array.from({ length: to - from + 1 }, (_, i) => `${first[0]}-${String(from + i).padStart(3, '0')}`);
}

function testFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    return /\.(test|contract|scenario)\.ts$/.test(entry.name) ? [path] : [];
  });
}

/** Row → files whose test titles begin with it; a title may name several: `M-001, M-002: …`. */
function proofs() {
  const byRow = new Map();
  for (const file of testFiles(join(root, 'tests'))) {
    const text = readFileSync(file, 'utf8');
    for (const [, title] of text.matchAll(
      /\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*['"`]([^'"`]+)/g,
    )) {
      for (const [row] of title.matchAll(/\b[MHP]-\d{3}\b/g)) {
        if (!byRow.has(row)) byRow.set(row, new Set());
        byRow.get(row).add(relative(root, file).replaceAll('\\', '/'));
      }
    }
  }
  return byRow;
}

function render() {
  const byRow = proofs();
  let total = 0;
  let proven = 0;
  const sections = [];
  for (const [area, entries] of Object.entries(rows)) {
    sections.push(`## ${area}`, '');
    for (const [section, ranges] of Object.entries(entries)) {
      sections.push(`### ${section}`, '', '| row | proven by |', '|---|---|');
      for (const row of ranges.flatMap(expand)) {
        const files = [...(byRow.get(row) ?? [])].sort();
        total++;
        if (files.length > 0) proven++;
        const links = files.map((file) => `[${file.replace('tests/', '')}](../${file})`);
        sections.push(`| ${row} | ${links.join(', ') || 'not yet'} |`);
      }
      sections.push('');
    }
  }
  const head = [
    '# Acceptance',
    '',
    'Every row of the acceptance tables and the tests that name it in their title. A row may need more than these',
    'tests. The README of its package says what is still missing. Made by `node tools/acceptance.js`.',
    '',
    `${proven} of ${total} rows are named by a test.`,
    '',
  ];
  return `${[...head, ...sections].join('\n').trimEnd()}\n`;
}

if (process.argv.includes('--check')) {
  if (readFileSync(page, 'utf8') !== render()) {
    console.error('docs/acceptance.md is not up to date: run `node tools/acceptance.js`.');
    process.exitCode = 1;
  }
} else {
  writeFileSync(page, render());
}
