/** What is sent to `schemas/cql/locations.ts`'s tables. */
export function locationStatements(keyspace: string) {
  const locations = `${keyspace}.location_by_user_day`;
  const days = `${keyspace}.location_day_by_user`;
  return {
    insertLocation: `INSERT INTO ${locations} (user_id, day, timestamp, lat_e7, lng_e7) VALUES (?, ?, ?, ?, ?) USING TTL ?`,
    insertDay: `INSERT INTO ${days} (user_id, day) VALUES (?, ?) USING TTL ?`,
    selectLocations: `SELECT timestamp, lat_e7, lng_e7 FROM ${locations} WHERE user_id = ? AND day = ? AND timestamp >= ? AND timestamp < ? LIMIT ?`,
    selectDays: `SELECT day FROM ${days} WHERE user_id = ? AND day >= ? AND day <= ? LIMIT ?`,
    deleteLocations: `DELETE FROM ${locations} WHERE user_id = ? AND day = ?`,
    deleteDay: `DELETE FROM ${days} WHERE user_id = ? AND day = ?`,
  } as const;
}
