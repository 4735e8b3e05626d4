import { join } from 'node:path';
import { customerRoutes } from '#platform/api-keys/customer-routes.js';
import { startMetering } from '#platform/api-keys/start-metering.js';
import { customerMigrations } from '#platform/api-keys/tables.js';
import type { Route } from '#platform/http/http-types.js';
import type { Served } from '#platform/http/server/http-server.js';
import type { Sql } from '#platform/sql/sql.js';
import { awaitPort, type Context } from '../context.js';
import { CommandFailed, exitCode } from '../exit.js';

/** The database of customers, for programs that have no other use for it. */
export const openCustomerDatabase = async (context: Context): Promise<Sql> => {
  const { openDatabase } = await import('../open/open-database.js');
  return awaitPort(context, 'database', () => openDatabase(context.config, context.logger));
};

/** Nothing while API_KEYS is off. */
export async function startApiKeys(
  context: Context,
  open: () => Promise<Sql | undefined>,
): Promise<{ readonly routes: readonly Route[]; readonly metering: Pick<Served, 'metering'> }> {
  const { config, logger, metrics } = context;
  if (config.API_KEYS === 'off') return { routes: [], metering: {} };
  const sql = await open();
  if (sql === undefined)
    throw new CommandFailed(
      'API_KEYS needs a database. Set SQL=postgres://… or API_KEYS=off.',
      exitCode.usage,
    );
  await sql.migrate('customers', customerMigrations);
  const folder = join(config.MERIDIAN_DATA, 'usage');
  const isRequired = config.API_KEYS === 'required';
  const metering = startMetering({ sql, folder, isRequired, logger, metrics });
  context.onStop('usage of API keys', () => metering.close());
  return { routes: customerRoutes(sql, Date.now), metering: { metering } };
}
