import type { MapRules } from './ascii-map.js';

/** Streets of which a share is missing and a third is one-way; `tags` adds tags to a street. */
export function randomTown(
  random: () => number,
  tags: () => Readonly<Record<string, string>> = () => ({}),
  missing = 0.35,
): [drawing: string, rules: MapRules] {
  const letters = 'ABCDEFGHIJKLMNOPQRST';
  const rows: string[] = [''];
  const ways: Record<string, Readonly<Record<string, string>>> = {};
  const isThere = (pair: string): boolean => {
    if (random() < missing) return false;
    const oneway = random() < 0.4 ? { oneway: random() < 0.5 ? 'yes' : '-1' } : {};
    ways[pair] = { ...oneway, ...tags() };
    return true;
  };
  for (let row = 0; row < 4; row++) {
    let across = '';
    let down = '';
    for (let column = 0; column < 5; column++) {
      const letter = letters[5 * row + column]!;
      const east = letters[5 * row + column + 1];
      const south = letters[5 * row + column + 5];
      across += letter + (column < 4 && isThere(letter + east!) ? '--' : '  ');
      down += (south !== undefined && isThere(letter + south) ? '|' : ' ').padEnd(3);
    }
    rows.push(across, down, down);
  }
  return [rows.join('\n'), { ways }];
}

/** One of them. */
export const any = <Item>(items: readonly Item[], random: () => number): Item =>
  items[Math.floor(random() * items.length)]!;
