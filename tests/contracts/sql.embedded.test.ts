import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSql } from '#platform/sql/open-sql.js';
import { sqlContract } from './sql.contract.js';

sqlContract('embedded', async () => {
  // mkdtemp makes the folder accessible only to its owner, as a clone below a home folder may be.
  const folder = await mkdtemp(join(tmpdir(), 'meridian-sql-'));
  const one = await openSql(`embedded:${folder}`);
  const other = await openSql(`embedded:${folder}`);
  return {
    one,
    other,
    dispose: async () => {
      await one.close();
      await other.close();
      await rm(folder, { recursive: true });
    },
  };
});
