import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSql } from '#platform/sql/open-sql.js';
import { sqlContract } from './sql.contract.js';

sqlContract('embedded', async () => {
  // mkdtemp closes the folder to everybody but its owner, as a clone under a home may be.
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
