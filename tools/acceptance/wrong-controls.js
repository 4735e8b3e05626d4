import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Mutants that can no longer be made: the text to change must stand in its file once. */
export function wrongControls(root, evidence) {
  const wrong = [];
  for (const { file, line, row, control } of evidence) {
    if (control === undefined || typeof control === 'string') continue;
    const path = join(root, control.in ?? '');
    const times = existsSync(path) ? readFileSync(path, 'utf8').split(control.change).length - 1 : 0;
    if (times !== 1)
      wrong.push(`${file}:${line}: the text that the control of ${row} changes stands ${times} times`);
  }
  return wrong;
}
