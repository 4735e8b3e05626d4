import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Folders whose contents PostgreSQL makes again at its start; a copy needs them, empty. */
const emptied = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]);
const leftOut = /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|backup_label.*|tablespace_map.*)$/;

export interface ClusterFiles {
  /** Relative to the cluster; a parent comes before what is below it. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** What a base backup of a cluster consists of, without its write-ahead log. */
export async function clusterFiles(cluster: string): Promise<ClusterFiles> {
  const folders: string[] = [join('pg_wal', 'archive_status'), join('pg_wal', 'summaries')];
  const files: string[] = [];
  const walk = async (below: string): Promise<void> => {
    // A table that was dropped meanwhile is gone from the write-ahead log too.
    const entries = await readdir(join(cluster, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(below, entry.name);
      if (leftOut.test(basename(path))) continue;
      if (entry.isDirectory()) {
        folders.push(path);
        if (below !== '' || !emptied.has(path)) await walk(path);
      } else if (entry.isFile()) files.push(path);
    }
  };
  await walk('');
  return { folders: folders.toSorted(), files };
}
