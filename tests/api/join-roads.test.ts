import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinRoads } from '#api/road-tiles/join-roads.js';
import type { RoadLine } from '#api/road-tiles/road-line.js';

/** A road drawn with letters: `AB` is a line from A to B. */
const road = (letters: string, over: Partial<RoadLine> = {}): RoadLine => ({
  class: 'residential',
  name: '',
  ref: '',
  oneway: false,
  coordinates: letters.split('').map((letter) => [letter.charCodeAt(0), 0] as const),
  ...over,
});
const letters = ({ coordinates }: RoadLine): string =>
  String.fromCharCode(...coordinates.map(([lng]) => lng));
const joined = (...roads: RoadLine[]): string[] => joinRoads(roads).map(letters).toSorted();

test('joins consecutive pieces into one line, in any order', () => {
  expect(joined(road('CDE'), road('AB'), road('BC'))).toEqual(['ABCDE']);
});

test('joins a line only with lines that look the same', () => {
  expect(joined(road('AB'), road('BC', { name: 'Avenyn' }), road('CD', { oneway: true }))).toEqual([
    'AB',
    'BC',
    'CD',
  ]);
});

test('a ring is one line that closes', () => {
  const [ring, ...others] = joined(road('AB'), road('BC'), road('CA'));
  expect([ring!.length, ring!.at(0) === ring!.at(-1), others.length]).toEqual([4, true, 0]);
});

const letter = fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F');

test('every piece is in exactly one line, in any town', () => {
  const piece = fc.tuple(letter, letter).map(([a, b]) => a + b);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const lines = joined(...pieces.map((each) => road(each)));
      const covered = lines.flatMap((line) =>
        line
          .split('')
          .slice(1)
          .map((to, index) => line[index]! + to),
      );
      expect(covered.toSorted()).toEqual(pieces.toSorted());
    }),
  );
});
