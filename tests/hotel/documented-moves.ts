import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const page = readFileSync(fileURLToPath(new URL('../../docs/hotel-states.md', import.meta.url)), 'utf8');

/** The transitions that the table under a heading of docs/hotel-states.md names, as `from>to`. */
export function documentedMoves(heading: 'Reservation' | 'Room'): ReadonlySet<string> {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))!;
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return new Set(
    rows.flatMap((row) => {
      const [, from, to] = row.split('|').map((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, s]) => s!));
      return to!.map((one) => `${from![0]}>${one}`);
    }),
  );
}
