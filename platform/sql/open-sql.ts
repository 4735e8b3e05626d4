import { securityOf } from '../config/connection-security.js';
import { isOverTls } from '../config/server-addresses.js';
import { WrongSetting } from '../config/wrong-setting.js';
import type { WatchQueue } from '../telemetry/bounded-queue.js';
import { EmbeddedServer } from './embedded-server.js';
import { sqlLimits } from './limits.js';
import { type PostgresDeps, type PostgresServer, PostgresSql } from './postgres-sql.js';
import type { Sql } from './sql.js';

export interface SqlDeps {
  /** Connections of this process; 16 when absent. */
  readonly connectionsMax?: number;
  readonly statementTimeoutMs?: number;
  /** 0 ≤ random < 1. */
  readonly random?: () => number;
  /** Shows how full the queue for connections is. */
  readonly watchQueue?: WatchQueue;
  /** Receives the errors of idle connections that were lost. */
  readonly onError?: (error: Error) => void;
}

/**
 * Opens the database that `address` names: `embedded:./data/sql`, a PostgreSQL of our own in a folder, or
 * `postgres://user:password@host:port/database` (`?sslmode=require` or
 * `verify-full`: with TLS, and the server's certificate is checked in both; `ca=`, `cert=`, `key=` and
 * `passwordFile=` name files). Rejects with a sentence for a
 * malformed address or an embedded server that does not start. A server of the network is not contacted
 * before the first call.
 */
export async function openSql(address: string, deps: SqlDeps = {}): Promise<Sql> {
  const given: PostgresDeps = {
    connectionsMax: deps.connectionsMax ?? sqlLimits.connectionsMax,
    statementTimeoutMs: deps.statementTimeoutMs ?? sqlLimits.statementTimeoutMs,
    random: deps.random ?? Math.random,
    onError: deps.onError ?? (() => {}),
    ...(deps.watchQueue === undefined ? {} : { watchQueue: deps.watchQueue }),
  };
  const scheme = address.slice(0, address.indexOf(':') + 1);
  switch (scheme) {
    case 'postgres:':
    case 'postgresql:':
      return new PostgresSql(serverOf(address), given);
    case 'embedded:': {
      const folder = address.slice(scheme.length);
      if (folder === '')
        throw new WrongSetting('The address of the database has no folder: write embedded:./data/sql.');
      const { embedded, server } = await EmbeddedServer.open(folder);
      let closed = false;
      return new PostgresSql(server, {
        ...given,
        // The server that we stop reports its shutdown to connections that are closing: nothing was lost.
        onError: (error) => {
          if (!closed) given.onError(error);
        },
        onClosed: () => {
          closed = true;
          return embedded.release();
        },
      });
    }
    default:
      throw new WrongSetting(
        `The address of the database must start with postgres:// or embedded:, not with '${scheme}'.`,
      );
  }
}

export function serverOf(address: string): PostgresServer {
  const fault = (what: string) =>
    new WrongSetting(
      `The address of the database ${what}: write postgres://user:password@host:5432/database.`,
    );
  if (!URL.canParse(address)) throw fault('is malformed');
  const url = new URL(address);
  if (url.hostname === '') throw fault('has no host');
  if (url.username === '') throw fault('has no user');
  if (!/^\/[^/]+$/.test(url.pathname)) throw fault('has no database');
  const { searchParams: parameters } = url;
  const sslmode = parameters.get('sslmode') ?? 'disable';
  if (!['disable', 'require', 'verify-full'].includes(sslmode))
    throw fault(`has the unknown sslmode '${sslmode}'`);
  const hasTls = isOverTls(address);
  const password = decodeURIComponent(url.password);
  const security = securityOf({ parameters, others: ['sslmode'], hasTls, password }, fault);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 5432 : Number(url.port),
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username),
    ...security,
  };
}
