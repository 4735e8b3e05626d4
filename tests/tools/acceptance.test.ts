import { describe, expect, it } from 'vitest';
import { controlHashes } from '../../tools/acceptance/control-results.js';
import { readEvidence } from '../../tools/acceptance/read-evidence.js';
import { rowState } from '../../tools/acceptance/row-state.js';
import { shareOf, targetHashes } from '../../tools/mutants/mutant-results.js';

const rows = new Set(['M-001', 'M-002', 'F8']);
const read = (text: string, file = 'tests/x.test.ts') => readEvidence(file, text, rows);
const whole = "{ asked: '100 batches', shown: '100 batches' }";

describe("a test's statement about a row", () => {
  it('is read with its title, also of a table of cases and of several rows', () => {
    const { found, wrong } = read(`
      proves('M-001', ${whole});
      proves('F8', { asked: '20 times', shown: 'once', scaled: '1 : 20, for time' });
      it.each([['a']])('M-001, F8: %s is kept', (word) => {});
      describe('x', () => {
        proves('M-002', ${whole});
        it.each([['M-002: a form'], ['M-002: a query']])('%s', () => {});
      });
    `);
    expect(wrong).toEqual([]);
    expect(found.map(({ row, title }) => [row, title])).toEqual([
      ['M-001', 'M-001, F8: %s is kept'],
      ['F8', 'M-001, F8: %s is kept'],
      ['M-002', '%s'],
    ]);
  });

  it.each([
    ['an unknown row', `proves('M-999', ${whole}); it('M-999: x', () => {});`, /M-999 is no row/],
    ['no figure of the row', "proves('M-001', { shown: '1' }); it('M-001: x', () => {});", /'asked'/],
    ['an empty figure', "proves('M-001', { asked: '1', shown: ' ' }); it('M-001: x', () => {});", /'shown'/],
    [
      'a title without the row',
      `proves('M-001', ${whole}); it('x', () => { f('M-001'); });`,
      /does not name/,
    ],
    ['the title of another row', `proves('M-001', ${whole}); it('M-002: x', () => {});`, /does not name/],
    ['no test below it', `proves('M-001', ${whole}); const a = 1;`, /no test follows/],
    ['an unknown field', "proves('M-001', { asked: '1', shown: '1', x: '1' }); it('M-001', f);", /'x'/],
    ['what is known at run time only', "proves('M-001', { asked: f(), shown: '1' });", /no.* literal/],
  ])('rejects a statement with %s and reports its position', (_, text, reason) => {
    const { wrong } = read(text);
    expect(wrong.join()).toMatch(reason);
    expect(wrong[0]).toMatch(/^tests\/x\.test\.ts:1: /);
  });

  it('a statement may stand alone in a bench', () => {
    expect(read(`proves('M-001', ${whole}); const a = 1;`, 'bench/x.ts').wrong).toEqual([]);
  });
});

describe('the state of a row', () => {
  const passed = (proof: string) => proof === 'ran';

  it('is that of the weakest statement', () => {
    expect(rowState([], 0, passed)).toBe('not yet');
    expect(rowState([], 3, passed)).toBe('named only');
    expect(rowState([{}], 1, passed)).toBe('proven');
    expect(rowState([{}, { scaled: '1 : 9' }], 1, passed)).toBe('scaled down');
    expect(rowState([{ scaled: '1 : 9' }, { missing: 'traces' }], 1, passed)).toBe('partial');
  });

  it('is proven by a long run only after the run has passed', () => {
    expect(rowState([{ scaled: '1 : 9', proof: 'ran' }], 1, passed)).toBe('proven');
    expect(rowState([{ scaled: '1 : 9', proof: 'never ran' }], 1, passed)).toBe('scaled down');
  });
});

describe('a control that was red', () => {
  const evidenceOf = (asked: string, expected = 1, to = '2') =>
    readEvidence(
      'tests/x.test.ts',
      `describe('x', () => {
  proves('M-001', {
    asked: '${asked}',
    shown: 'ten',
    control: { in: 'x.ts', change: '1', to: '${to}' },
  });
  it('M-001: x', () => expect(a).toBe(${expected}));
  it('another ${asked}', () => {});
});`,
      rows,
    ).found[0] as unknown as Parameters<ReturnType<typeof controlHashes>>[0];
  const hashOf = (product: string, evidence = evidenceOf('ten')) =>
    controlHashes({ read: () => Buffer.from(product), list: () => [] })(evidence);
  const red = hashOf('a = 1');

  it('counts while its mutant, the file that it changes and its test are the same', () => {
    expect(hashOf('a = 1', evidenceOf('ten, read again'))).toBe(red);
    expect(hashOf('a = 1;')).not.toBe(red);
    expect(hashOf('a = 1', evidenceOf('ten', 2))).not.toBe(red);
    expect(hashOf('a = 1', evidenceOf('ten', 1, '3'))).not.toBe(red);
  });
});

describe('the mutants of a module', () => {
  const target = ['a.ts', ['tests/a.test.ts']] as const;
  const hashOf = (module: string, test: string) =>
    targetHashes({
      read: (path) => Buffer.from(path === 'a.ts' ? module : test),
      list: () => [],
    })(target);

  it('are judged again after the module or its test has changed', () => {
    const judged = hashOf('a = 1', 'expect(a).toBe(1)');
    expect(hashOf('a = 2', 'expect(a).toBe(1)')).not.toBe(judged);
    expect(hashOf('a = 1', 'expect(a).toBe(2)')).not.toBe(judged);
    expect(hashOf('a = 1', 'expect(a).toBe(1)')).toBe(judged);
  });

  it('count for their area, and a module without a result is named', () => {
    const share = shareOf([target, ['b.ts', []]], ([file]) =>
      file === 'a.ts' ? { born: 10, survivors: ['3: + → -'] } : undefined,
    );
    expect(share).toEqual({ born: 10, noticed: 9, missing: ['b.ts'] });
  });
});
