import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';

/** Creates an empty database of this name on a server, replacing an existing one; returns its address. */
export async function freshDatabase(server: string, name: string): Promise<string> {
  const admin = await openSql(server, { connectionsMax: 1 });
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.close();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Figures of commits that do not wait for the disk are void. */
export async function waitsForTheDisk(sql: Sql): Promise<void> {
  const { rows } = await sql.query('SHOW synchronous_commit');
  if (rows[0]?.['synchronous_commit'] !== 'on') throw new Error('void: synchronous_commit is not on');
}
