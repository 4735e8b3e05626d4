import { readFileSync } from 'node:fs';
import type { Migration } from '#platform/sql/sql.js';

/** The migrations of a service as commit 54c4947 had them, each behind a line `--- name`. */
export function earlierHistory(service: 'hotel' | 'payment'): readonly Migration[] {
  const text = readFileSync(new URL(`fixtures/${service}-54c4947.txt`, import.meta.url), 'utf8');
  return text
    .split(/^--- /m)
    .slice(1)
    .map((migration) => {
      const end = migration.indexOf('\n');
      return { name: migration.slice(0, end), sql: migration.slice(end + 1, -1) };
    });
}
