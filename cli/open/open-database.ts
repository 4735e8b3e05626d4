import { join } from 'node:path';
import type { Config } from '#platform/config/settings.js';
import { openSql, type SqlDeps } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import type { Logger } from '#platform/telemetry/logger.js';

/** The relational store. In a file of its own, so that programs without one need not load its driver. */
export const openDatabase = (
  config: Config,
  logger: Logger,
  more: Pick<SqlDeps, 'watchQueue'> = {},
): Promise<Sql> =>
  openSql(config.SQL ?? `embedded:${join(config.MERIDIAN_DATA, 'sql')}`, {
    ...more,
    onError: (error) => logger.warn('a connection to the database was lost', { cause: error.message }),
  });
