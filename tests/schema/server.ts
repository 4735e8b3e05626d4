import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';

export interface DatabaseServer {
  /** The address of another empty database with this text encoding. */
  create(encoding?: 'UTF8' | 'LATIN1' | 'SQL_ASCII'): Promise<string>;
  /** Closed with the server. */
  open(address: string): Promise<Sql>;
  close(): Promise<void>;
}

/** An embedded PostgreSQL with as many databases as a test requests. */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-schema-'));
  const first = await openSql(`embedded:${folder}`);
  const opened: Sql[] = [];
  let databases = 0;
  const { rows } = await first.query<{ port: string; password: string }>(
    `SELECT current_setting('port') AS port, trim(pg_read_file('../password')) AS password`,
  );
  const { port, password } = rows[0]!;
  return {
    async create(encoding = 'UTF8') {
      databases += 1;
      await first.query(
        `CREATE DATABASE database_${databases} ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`,
      );
      return `postgres://meridian:${password}@127.0.0.1:${port}/database_${databases}`;
    },
    async open(address) {
      const sql = await openSql(address, { connectionsMax: 4 });
      opened.push(sql);
      return sql;
    },
    async close() {
      for (const sql of opened) await sql.close();
      await first.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
