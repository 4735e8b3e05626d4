/**
 * The optional fields of a location as columns, in the order of `locationFields` and in the parts of a unit
 * that these state. A column is null where a point lacks the field.
 */
export const locationFieldColumns = [
  { name: 'accuracy_dm', type: 'int' },
  { name: 'speed_cmps', type: 'int' },
  { name: 'heading_ddeg', type: 'smallint' },
  /** 0 driving, 1 walking, 2 bicycling. */
  { name: 'mode', type: 'tinyint' },
] as const;

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
${locationFieldColumns.map(({ name, type }) => `  ${name} ${type},`).join('\n')}
  PRIMARY KEY ((user_id, day), timestamp)
) WITH ${shape}`,
    `CREATE TABLE IF NOT EXISTS ${keyspace}.location_day_by_user (
  user_id text,
  day int,
  PRIMARY KEY (user_id, day)
) WITH ${shape}`,
  ];
}

/** What adds the columns that a table of an earlier version lacks; `present` are the columns that it has. */
export function addLocationColumns(keyspace: string, present: readonly string[]): string | undefined {
  const missing = locationFieldColumns.filter(({ name }) => !present.includes(name));
  if (missing.length === 0) return undefined;
  const columns = missing.map(({ name, type }) => `${name} ${type}`).join(', ');
  return `ALTER TABLE ${keyspace}.location_by_user_day ADD (${columns})`;
}
