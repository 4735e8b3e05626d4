import { expect, test } from 'vitest';
import { textTable } from '#cli/text-table.js';

test('columns have one width, numbers are to the right, and lines do not end with blanks', () => {
  expect(
    textTable(
      ['NAME', 'COUNT', 'NOTE'],
      [
        ['Käse 🧀', 7, undefined],
        ['x', 12_345, 'last'],
      ],
    ),
  ).toBe(['NAME    COUNT  NOTE', 'Käse 🧀      7', 'x       12345  last'].join('\n'));
  expect(textTable(['A', 'B'], [])).toBe('A  B');
});

test('a name starts no line and moves no cursor', () => {
  const table = textTable(['NAME', 'NEXT'], [['a\nb\u001b[2J\u2028', 'c']]);
  expect(table).toBe('NAME      NEXT\na�b�[2J�  c');
});
