import { locationFieldColumns } from '#schemas/cql/locations.js';

const fieldNames = locationFieldColumns.map(({ name }) => name);
const fieldList = fieldNames.join(', ');
const fieldMarks = fieldNames.map(() => '?').join(', ');

/** Microseconds of the write that a column's value comes from. */
export const writtenAt = (column: string) => `writetime(${column})`;

/** What is sent to `schemas/cql/locations.ts`'s tables. */
export function locationStatements(keyspace: string) {
  const locations = `${keyspace}.location_by_user_day`;
  const days = `${keyspace}.location_day_by_user`;
  const writeTimes = ['lat_e7', ...fieldNames].map(writtenAt).join(', ');
  return {
    insertLocation: `INSERT INTO ${locations} (user_id, day, timestamp, lat_e7, lng_e7) VALUES (?, ?, ?, ?, ?) USING TTL ?`,
    insertLocationWithFields: `INSERT INTO ${locations} (user_id, day, timestamp, lat_e7, lng_e7, ${fieldList}) VALUES (?, ?, ?, ?, ?, ${fieldMarks}) USING TTL ?`,
    selectColumns: `SELECT column_name FROM system_schema.columns WHERE keyspace_name = ? AND table_name = 'location_by_user_day'`,
    insertDay: `INSERT INTO ${days} (user_id, day) VALUES (?, ?) USING TTL ?`,
    selectLocations: `SELECT timestamp, lat_e7, lng_e7, ${fieldList}, ${writeTimes} FROM ${locations} WHERE user_id = ? AND day = ? AND timestamp >= ? AND timestamp < ? LIMIT ?`,
    selectDays: `SELECT day FROM ${days} WHERE user_id = ? AND day >= ? AND day <= ? LIMIT ?`,
    deleteLocations: `DELETE FROM ${locations} WHERE user_id = ? AND day = ?`,
    deleteDay: `DELETE FROM ${days} WHERE user_id = ? AND day = ?`,
  } as const;
}
