import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Controls that can no longer be made: the text that a mutant changes must stand in its file once, and the
 * test of a known-bad build must have its title.
 */
export function wrongControls(root, evidence) {
  const wrong = [];
  for (const { file, line, row, control } of evidence) {
    if (control === undefined || typeof control === 'string') continue;
    if (control.test !== undefined) {
      const path = join(root, control.file ?? file);
      if (!existsSync(path) || !readFileSync(path, 'utf8').includes(control.test))
        wrong.push(`${file}:${line}: no test has the title that the control of ${row} names`);
      continue;
    }
    const path = join(root, control.in ?? '');
    const times = existsSync(path) ? readFileSync(path, 'utf8').split(control.change).length - 1 : 0;
    if (times !== 1)
      wrong.push(`${file}:${line}: the text that the control of ${row} changes stands ${times} times`);
  }
  return wrong;
}
