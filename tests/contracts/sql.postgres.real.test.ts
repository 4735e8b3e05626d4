import { openSql } from '#platform/sql/open-sql.js';
import { required } from './required-variable.js';
import { sqlContract } from './sql.contract.js';

sqlContract('postgres', async () => {
  const address = required('SQL', 'postgres');
  const one = await openSql(address);
  const other = await openSql(address);
  return {
    one,
    other,
    dispose: async () => {
      await one.close();
      await other.close();
    },
  };
});
