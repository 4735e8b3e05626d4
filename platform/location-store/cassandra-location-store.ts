import cassandra from 'cassandra-driver';
import { locationTables } from '#schemas/cql/locations.js';
import type { LocationBatch } from '#schemas/location.js';
import { E7, type UserId } from '#schemas/units.js';
import type { ClientTls } from '../config/connection-security.js';
import { addFieldColumns, codesOfRow, columnsOf } from './cassandra-field-columns.js';
import { locationStatements } from './cassandra-statements.js';
import { valuesOf } from './field-codes.js';
import { locationStoreLimits } from './limits.js';
import { checkPageRequest, encodeCursor, pageStart } from './location-cursor.js';
import {
  type LocationPage,
  type LocationPageRequest,
  type LocationStore,
  LocationStoreUnavailable,
  type StoredLocation,
} from './location-store.js';
import {
  checkUserId,
  dayOf,
  type PartitionPoints,
  partitionsOf,
  type StoredPoint,
} from './partition-points.js';
import type { Retention } from './retention.js';
import { Slots } from './slots.js';

export interface CassandraCluster {
  readonly contactPoints: readonly string[];
  readonly port: number;
  readonly keyspace: string;
  readonly localDataCenter: string;
  readonly tls?: ClientTls;
  readonly credentials?: { readonly username: string; readonly password: string };
  /** Used when the keyspace is created. */
  readonly replicationFactor: number;
}

type Statement = { query: string; params: unknown[] };

const dayPage = 400;
const rowBytes = 60;
/** Four lengths and values of the optional fields. */
const fieldBytes = 27;

/**
 * Locations in Cassandra. Writes carry no timestamp of ours: the coordinator's clock orders a write and an
 * erasure, so the clock of an ingest server decides nothing. The row that lists a day is in the same batch as
 * the points and has the same write time, so no interleaving with an erasure leaves points on a day without
 * such a row.
 */
export class CassandraLocationStore implements LocationStore {
  readonly #cluster: CassandraCluster;
  readonly #retention: Retention;
  readonly #statements: ReturnType<typeof locationStatements>;
  readonly #slots = new Slots(locationStoreLimits.statementsInFlightMax);
  #client: cassandra.Client | undefined;

  constructor(cluster: CassandraCluster, retention: Retention) {
    this.#cluster = cluster;
    this.#retention = retention;
    this.#statements = locationStatements(cluster.keyspace);
  }

  /**
   * Connects and creates the missing keyspace and tables. Rejects while Cassandra is unavailable; call again
   * then.
   */
  async prepare(): Promise<void> {
    if (this.#client !== undefined) return;
    const client = this.#newClient();
    try {
      await client.connect();
      for (const table of locationTables({
        keyspace: this.#cluster.keyspace,
        localDataCenter: this.#cluster.localDataCenter,
        replicationFactor: this.#cluster.replicationFactor,
        retentionSeconds: this.#retentionSeconds(),
      })) {
        await client.execute(table, [], { prepare: false });
      }
      await addFieldColumns(client, this.#cluster.keyspace, this.#statements.selectColumns);
    } catch (error) {
      await client.shutdown().catch(() => {});
      throw this.#explained(error);
    }
    this.#client = client;
  }

  async write(batches: readonly LocationBatch[]): Promise<void> {
    const statements = partitionsOf(batches).flatMap((partition) => this.#insertsOf(partition));
    let failure: Error | undefined;
    const sent = statements.map((rows) =>
      this.#call(async (client) => {
        if (failure === undefined) await client.batch(rows, { prepare: true, logged: false });
      }).catch((error: unknown) => {
        failure ??= error instanceof Error ? error : new Error(String(error));
      }),
    );
    // When the caller receives the failure and retries, no write is in flight.
    await Promise.all(sent);
    if (failure !== undefined) throw failure;
  }

  async read(userId: UserId, request: LocationPageRequest): Promise<LocationPage> {
    checkUserId(userId);
    checkPageRequest(request);
    const fromMs = pageStart(userId, request);
    const locations: StoredLocation[] = [];
    for await (const day of this.#days(userId, dayOf(fromMs), dayOf(request.toMs))) {
      const wanted = request.limit + 1 - locations.length;
      const params = [userId, day, new Date(fromMs), new Date(request.toMs), wanted];
      const { rows } = await this.#call((client) => client.execute(this.#statements.selectLocations, params));
      for (const row of rows) {
        const timestamp = (row['timestamp'] as Date).getTime();
        if (locations.length === request.limit)
          return { locations, nextCursor: encodeCursor(userId, timestamp) };
        const values = valuesOf(codesOfRow(row));
        locations.push({ lat: row['lat_e7'] / E7, lng: row['lng_e7'] / E7, timestamp, ...values });
      }
    }
    return { locations };
  }

  async erase(userId: UserId): Promise<void> {
    checkUserId(userId);
    const endOfTime = dayOf(locationStoreLimits.timestampMsMax);
    const erasures: Promise<unknown>[] = [];
    for await (const day of this.#days(userId, -endOfTime - 1, endOfTime)) {
      const rows = [this.#statements.deleteLocations, this.#statements.deleteDay].map((query) => ({
        query,
        params: [userId, day],
      }));
      erasures.push(this.#call((client) => client.batch(rows, { prepare: true, logged: true })));
    }
    await Promise.all(erasures);
  }

  async check(): Promise<void> {
    await this.#call((client) => client.execute('SELECT key FROM system.local', [], { readTimeout: 2_000 }));
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.shutdown();
  }

  #insertsOf({ userId, day, points }: PartitionPoints): Statement[][] {
    const nowMs = this.#retention.now();
    const living = points
      .map((point) => ({ point, ttl: this.#ttlSeconds(point.receivedMs, nowMs) }))
      .filter(({ ttl }) => ttl > 0);
    const hasFields = living.some(({ point }) => point.codes !== undefined);
    const bytesPerRow = rowBytes + (hasFields ? fieldBytes : 0) + 3 * userId.length;
    const rowsMax = Math.max(1, Math.floor(locationStoreLimits.statementBytesMax / bytesPerRow));
    const batches: Statement[][] = [];
    for (let at = 0; at < living.length; at += rowsMax) {
      const rows: Statement[] = living
        .slice(at, at + rowsMax)
        .map(({ point, ttl }) => this.#insertOf(userId, day, point, ttl));
      rows.push({ query: this.#statements.insertDay, params: [userId, day, this.#retentionSeconds()] });
      batches.push(rows);
    }
    return batches;
  }

  #insertOf(userId: UserId, day: number, point: StoredPoint, ttl: number): Statement {
    const { insertLocation, insertLocationWithFields } = this.#statements;
    const key = [userId, day, new Date(point.timeMs), point.latE7, point.lngE7];
    return point.codes === undefined
      ? { query: insertLocation, params: [...key, ttl] }
      : { query: insertLocationWithFields, params: [...key, ...columnsOf(point.codes), ttl] };
  }

  async *#days(userId: UserId, firstDay: number, lastDay: number): AsyncGenerator<number> {
    for (let from = firstDay; from <= lastDay; ) {
      const params = [userId, from, lastDay, dayPage];
      const { rows } = await this.#call((client) => client.execute(this.#statements.selectDays, params));
      for (const row of rows) yield row['day'] as number;
      if (rows.length < dayPage) return;
      from = (rows.at(-1)!['day'] as number) + 1;
    }
  }

  #ttlSeconds(receivedMs: number, nowMs: number): number {
    const left = Math.ceil((receivedMs + this.#retention.retentionMs - nowMs) / 1000);
    return Math.min(left, this.#retentionSeconds());
  }

  #retentionSeconds(): number {
    return Math.min(Math.ceil(this.#retention.retentionMs / 1000), locationStoreLimits.ttlSecondsMax);
  }

  async #call<Result>(work: (client: cassandra.Client) => Promise<Result>): Promise<Result> {
    return this.#slots.run(async () => {
      if (this.#client === undefined) {
        throw new LocationStoreUnavailable(
          'The location store is not prepared: prepare() has not succeeded yet.',
        );
      }
      try {
        return await work(this.#client);
      } catch (error) {
        throw this.#explained(error);
      }
    });
  }

  #newClient(): cassandra.Client {
    const { contactPoints, port, localDataCenter, credentials, tls } = this.#cluster;
    return new cassandra.Client({
      contactPoints: [...contactPoints],
      protocolOptions: { port },
      localDataCenter,
      ...(credentials === undefined ? {} : { credentials }),
      // Unlike Node, the driver accepts any certificate by itself.
      ...(tls === undefined ? {} : { sslOptions: { ...tls, rejectUnauthorized: true } }),
      queryOptions: {
        consistency: cassandra.types.consistencies.localQuorum,
        prepare: true,
        isIdempotent: true,
      },
      socketOptions: {
        connectTimeout: locationStoreLimits.connectTimeoutMs,
        readTimeout: locationStoreLimits.requestTimeoutMs,
      },
      // The driver accepts null for the coordinator's timestamp; its types do not.
      policies: {
        timestampGeneration: null as unknown as cassandra.policies.timestampGeneration.TimestampGenerator,
      },
    });
  }

  #explained(error: unknown): unknown {
    const { errors, types } = cassandra;
    const refusedForNow: readonly number[] = [
      types.responseErrorCodes.unavailableException,
      types.responseErrorCodes.overloaded,
      types.responseErrorCodes.isBootstrapping,
      types.responseErrorCodes.writeTimeout,
      types.responseErrorCodes.readTimeout,
      types.responseErrorCodes.readFailure,
      types.responseErrorCodes.writeFailure,
    ];
    const away =
      error instanceof errors.NoHostAvailableError ||
      error instanceof errors.OperationTimedOutError ||
      error instanceof errors.BusyConnectionError ||
      // It has no class: a statement is prepared while the pool of a host reconnects.
      (error instanceof Error && error.message === 'No connection available') ||
      (error instanceof errors.ResponseError && refusedForNow.includes(error.code));
    if (!away) return error;
    const where = `${this.#cluster.contactPoints.join(', ')} port ${this.#cluster.port}`;
    return new LocationStoreUnavailable(`Cassandra at ${where} does not answer: ${error.message}`, {
      cause: error,
    });
  }
}
