/**
 * The tables of the location store. A partition is one user's day, so that it stays bounded (86,400 rows at
 * one a second) and no two users share one; rows are ordered by timestamp. The second table lists the days of
 * each user. Coordinates are 1e-7 degrees. Rows are written with a time to live that ends when the retention
 * has passed since their receipt, and windows of a day let whole files be dropped.
 */
export interface LocationKeyspace {
  readonly keyspace: string;
  readonly localDataCenter: string;
  readonly replicationFactor: number;
  readonly retentionSeconds: number;
}

export function locationTables(options: LocationKeyspace): readonly string[] {
  const { keyspace, localDataCenter, replicationFactor, retentionSeconds } = options;
  const shape = `default_time_to_live = ${retentionSeconds}
  AND compaction = {
    'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', 'compaction_window_size': 1
  }`;
  return [
    `CREATE KEYSPACE IF NOT EXISTS ${keyspace} WITH replication = {
  'class': 'NetworkTopologyStrategy', '${localDataCenter}': ${replicationFactor}
}`,
    `CREATE TABLE IF NOT EXISTS ${keyspace}.location_by_user_day (
  user_id text,
  day int,
  timestamp timestamp,
  lat_e7 int,
  lng_e7 int,
  PRIMARY KEY ((user_id, day), timestamp)
) WITH ${shape}`,
    `CREATE TABLE IF NOT EXISTS ${keyspace}.location_day_by_user (
  user_id text,
  day int,
  PRIMARY KEY (user_id, day)
) WITH ${shape}`,
  ];
}
