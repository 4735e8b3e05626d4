import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sqlLimits } from '#platform/sql/limits.js';
import {
  type CopyIn,
  type Migration,
  type Sql,
  type SqlTransaction,
  SqlUnavailable,
  sqlState,
} from '#platform/sql/sql.js';

export interface SqlUnderTest {
  /** Two pools on the same database, as two processes would have them. */
  readonly one: Sql;
  readonly other: Sql;
  dispose(): Promise<void>;
}

/**
 * The requirements of every database. Each test has its own tables and migration histories, so that a shared
 * server can be used.
 */
export function sqlContract(adapter: string, start: () => Promise<SqlUnderTest>): void {
  describe(`sql contract: ${adapter}`, () => {
    let under: SqlUnderTest;
    let sql: Sql;
    let table: string;
    let names = 0;
    const name = () => `contract_${process.pid}_${Date.now()}_${names++}`;
    const made: string[] = [];

    beforeAll(async () => {
      under = await start();
      sql = under.one;
    });
    beforeEach(async () => {
      table = name();
      made.push(table);
      await sql.query(`CREATE TABLE ${table} (id int PRIMARY KEY, n bigint NOT NULL CHECK (n >= 0))`);
      await sql.query(`INSERT INTO ${table} SELECT g, 100 FROM generate_series(1, 10) g`);
    });
    afterAll(async () => {
      for (const one of made) await under?.one.query(`DROP TABLE IF EXISTS ${one}`);
      await under?.dispose();
    });

    const sum = async () => (await sql.query<{ sum: string }>(`SELECT sum(n) FROM ${table}`)).rows[0]!.sum;
    const n = async (id: number) =>
      (await sql.query<{ n: bigint }>(`SELECT n FROM ${table} WHERE id = $1`, [id])).rows[0]!.n;

    test('a repeated statement sees columns that were added meanwhile, also in a transaction', async () => {
      const read = async (session: Pick<Sql, 'query'>) =>
        (await session.query(`SELECT * FROM ${table} WHERE id = $1`, [1])).rows[0];
      for (let turn = 0; turn < 3; turn += 1) expect(await read(sql)).toEqual({ id: 1, n: 100n });
      await sql.query(`ALTER TABLE ${table} ADD COLUMN more int DEFAULT 5`);
      expect(await read(sql)).toEqual({ id: 1, n: 100n, more: 5 });
      for (let turn = 0; turn < 3; turn += 1) await sql.transaction(read);
      await under.other.query(`ALTER TABLE ${table} DROP COLUMN more`);
      expect(await sql.transaction(read)).toEqual({ id: 1, n: 100n });
    });

    test('values are written and read back without loss', async () => {
      const { rows } = await sql.query(
        `SELECT $1::bigint AS big, $2::numeric AS numeric, $3::text AS text, $4::boolean AS bool,
           $5::bytea AS bytes, $6::timestamptz AS moment, $7::bigint[] AS bigs, $8::text[] AS texts,
           $9::int AS nothing, $10::jsonb AS json, DATE '2028-02-29' AS day,
           TIMESTAMP '2026-03-29 02:30:00' AS local, 7::int AS int, 0.1::float8 AS float,
           ARRAY[DATE '2026-01-01'] AS days`,
        [
          9_007_199_254_740_993n,
          '0.1000000000000000000001',
          'a\'b"c\\ \u{1f697}',
          true,
          new Uint8Array([0, 255, 92]),
          new Date('2026-11-21T09:00:00.123Z'),
          [1n, 9_223_372_036_854_775_807n],
          ['x,y', 'NULL', '', null],
          null,
          '{"a": [1]}',
        ],
      );
      expect(rows).toEqual([
        {
          big: 9_007_199_254_740_993n,
          numeric: '0.1000000000000000000001',
          text: 'a\'b"c\\ \u{1f697}',
          bool: true,
          bytes: Buffer.from([0, 255, 92]),
          moment: new Date('2026-11-21T09:00:00.123Z'),
          bigs: [1n, 9_223_372_036_854_775_807n],
          texts: ['x,y', 'NULL', '', null],
          nothing: null,
          json: { a: [1] },
          day: '2028-02-29',
          local: '2026-03-29 02:30:00',
          int: 7,
          float: 0.1,
          days: ['2026-01-01'],
        },
      ]);
    });

    test('reports how many rows a statement affected', async () => {
      expect((await sql.query(`UPDATE ${table} SET n = 1 WHERE id <= 4`)).rowCount).toBe(4);
      expect((await sql.query(`DELETE FROM ${table} WHERE id > 100`)).rowCount).toBe(0);
      for (let turn = 0; turn < 3; turn += 1)
        for (const [text, values] of [
          [`UPDATE ${table} SET n = 1 WHERE id <= $1`, [4]],
          [`UPDATE ${table} SET n = 1 WHERE id <= 4`, []],
        ] as const)
          expect(await sql.transaction((tx) => tx.query(text, values))).toEqual({ rows: [], rowCount: 4 });
    });

    test('a value is never read as SQL', async () => {
      const hostile = `1'); DROP TABLE ${table}; --`;
      expect((await sql.query('SELECT $1::text AS v', [hostile])).rows).toEqual([{ v: hostile }]);
      expect(await sum()).toBe('1000');
    });

    test('a resolved transaction is visible to every client, a rejected one never happened', async () => {
      const answer = await sql.transaction(async (tx) => {
        await tx.query(`UPDATE ${table} SET n = 7 WHERE id = 1`);
        return (await tx.query<{ n: bigint }>(`SELECT n FROM ${table} WHERE id = 1`)).rows[0]!.n;
      });
      expect(answer).toBe(7n);
      expect((await under.other.query(`SELECT n FROM ${table} WHERE id = 1`)).rows).toEqual([{ n: 7n }]);
      const cause = new Error('no rooms left');
      await expect(
        sql.transaction(async (tx) => {
          await tx.query(`UPDATE ${table} SET n = 0`);
          throw cause;
        }),
      ).rejects.toBe(cause);
      expect(await n(1)).toBe(7n);
    });

    test('a transaction with a failed statement is an error, even if the work continued', async () => {
      await expect(
        sql.transaction(async (tx) => {
          await tx.query(`UPDATE ${table} SET n = 5 WHERE id = 1`);
          await tx.query(`UPDATE ${table} SET n = -1 WHERE id = 2`).catch(() => {});
        }),
      ).rejects.toThrow('was rolled back');
      expect(await n(1)).toBe(100n);
    });

    test('an error keeps the PostgreSQL code and leaves the connection usable', async () => {
      const failures = await Promise.all(
        [`INSERT INTO ${table} VALUES (1, 1)`, `UPDATE ${table} SET n = -1`, 'SELEKT 1', 'SELECT 1/0'].map(
          (text) => sql.query(text).catch((error: unknown) => error),
        ),
      );
      expect(failures.map(sqlState)).toEqual(['23505', '23514', '42601', '22012']);
      expect(failures.some((failure) => failure instanceof SqlUnavailable)).toBe(false);
      expect(await sum()).toBe('1000');
    });

    test('rejects the use of a session after its transaction', async () => {
      const escaped = await sql.transaction(async (tx) => ({ tx }));
      await expect(escaped.tx.query('SELECT 1')).rejects.toThrow('transaction has ended');
    });

    test('I5: two hundred transactions of two pools on one row lose no update', async () => {
      let left = 200;
      // As many at once as there are connections: a call that waits for one stops after a time that a busy
      // machine may need.
      const callers = 2 * sqlLimits.connectionsMax;
      const increments = async (side: Sql): Promise<void> => {
        while (left-- > 0)
          await side.transaction(async (tx) => {
            const { rows } = await tx.query<{ n: bigint }>(`SELECT n FROM ${table} WHERE id = 1 FOR UPDATE`);
            await tx.query(`UPDATE ${table} SET n = $1 WHERE id = 1`, [rows[0]!.n + 1n]);
          });
      };
      await Promise.all(
        Array.from({ length: callers }, (_, index) => increments(index % 2 ? under.one : under.other)),
      );
      expect(await n(1)).toBe(300n);
    });

    test('control: without the row lock the same transactions do lose updates', async () => {
      // Both read before either writes: they meet at an advisory lock that a third session holds.
      const meeting = names++;
      let read = 0;
      const increment = (side: Sql) =>
        side.transaction(async (tx) => {
          const { rows } = await tx.query<{ n: bigint }>(`SELECT n FROM ${table} WHERE id = 1`);
          read += 1;
          await tx.query('SELECT pg_advisory_xact_lock_shared($1, $2)', [process.pid, meeting]);
          await tx.query(`UPDATE ${table} SET n = $1 WHERE id = 1`, [rows[0]!.n + 1n]);
        });
      let both: Promise<unknown> = Promise.resolve();
      await under.one.transaction(async (tx) => {
        await tx.query('SELECT pg_advisory_xact_lock($1, $2)', [process.pid, meeting]);
        both = Promise.all([increment(under.one), increment(under.other)]);
        while (read < 2) await tx.query('SELECT 1');
      });
      await both;
      expect(await n(1)).toBe(101n);
    });

    test('F21: serialization failures are retried until all are committed', async () => {
      await Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          (index % 2 ? under.one : under.other).transaction(
            async (tx) => {
              const { rows } = await tx.query<{ n: bigint }>(`SELECT n FROM ${table} WHERE id = 1`);
              await tx.query(`UPDATE ${table} SET n = $1 WHERE id = 1`, [rows[0]!.n + 1n]);
            },
            { isolation: 'serializable', attempts: 20 },
          ),
        ),
      );
      expect(await n(1)).toBe(124n);
    });

    test('F21: deadlocks are resolved and retried; the number of attempts is bounded', async () => {
      let runs = 0;
      const holding = new Set<number>();
      const swap = (first: number, second: number) =>
        sql.transaction(async (tx) => {
          runs += 1;
          await tx.query(`UPDATE ${table} SET n = n - 1 WHERE id = $1`, [first]);
          holding.add(first);
          // Each holds what the other is about to request.
          while (holding.size < 2) await tx.query('SELECT 1');
          await tx.query(`UPDATE ${table} SET n = n + 1 WHERE id = $1`, [second]);
        });
      await Promise.all([swap(1, 2), swap(2, 1)]);
      expect([await n(1), await n(2)]).toEqual([100n, 100n]);
      // Two runs that succeed and at least one deadlock victim; on a busy machine the second attempt may fail
      // again.
      expect(runs).toBeGreaterThanOrEqual(3);
      expect(runs).toBeLessThanOrEqual(6);
      let attempts = 0;
      const conflict = sql.transaction(
        async (tx) => {
          attempts += 1;
          await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END $$`);
        },
        { attempts: 3 },
      );
      expect(sqlState(await conflict.catch((error: unknown) => error))).toBe('40001');
      expect(attempts).toBe(3);
    });

    test('F21: failures leave nothing open', async () => {
      await Promise.allSettled(
        Array.from({ length: 40 }, (_, index) =>
          sql.transaction(async (tx) => {
            await tx.query(`UPDATE ${table} SET n = n + 1 WHERE id = $1`, [(index % 10) + 1]);
            if (index % 2) throw new Error('half of them fail');
          }),
        ),
      );
      expect(await sum()).toBe('1020');
      const { rows } = await sql.query(
        `SELECT 1 FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND query LIKE '%${table}%'`,
      );
      expect(rows).toEqual([]);
    });

    test('migrations run once, in order, even if two processes start at the same time', async () => {
      const [history, migrated] = [name(), name()];
      made.push(migrated);
      const migrations: Migration[] = [
        {
          name: '0001-create',
          sql: `CREATE TABLE ${migrated} (step int); INSERT INTO ${migrated} VALUES (1);`,
        },
        { name: '0002-fill', sql: `INSERT INTO ${migrated} SELECT 2; SELECT pg_sleep(0.05)` },
      ];
      await Promise.all([
        under.one.migrate(history, migrations),
        under.other.migrate(history, migrations),
        under.one.migrate(history, migrations),
      ]);
      await sql.migrate(history, [
        ...migrations,
        { name: '0003-more', sql: `INSERT INTO ${migrated} VALUES (3)` },
      ]);
      expect((await sql.query(`SELECT step FROM ${migrated} ORDER BY step`)).rows).toEqual([
        { step: 1 },
        { step: 2 },
        { step: 3 },
      ]);
      await expect(sql.migrate(history, migrations)).rejects.toThrow('older than the database');
    });

    test('an edited, renumbered or badly named migration is rejected before any runs', async () => {
      const history = name();
      const first = { name: '0002-first', sql: 'SELECT 1' };
      const second = { name: '0003-second', sql: `CREATE TABLE ${history} (a int)` };
      await sql.migrate(history, [first]);
      await expect(sql.migrate(history, [{ ...first, sql: 'SELECT 2' }, second])).rejects.toThrow(
        'was edited',
      );
      await expect(
        sql.migrate(history, [{ name: '0001-late', sql: 'SELECT 1' }, first, second]),
      ).rejects.toThrow('higher number');
      await expect(sql.migrate(history, [first, { ...second, name: '0002-again' }])).rejects.toThrow(
        'does not have a higher number',
      );
      await expect(sql.migrate(history, [first, { ...second, name: '3-second' }])).rejects.toThrow(
        'must be named like',
      );
      await expect(sql.migrate('Bad Name', [])).rejects.toThrow('not a valid schema name');
      expect((await sql.query('SELECT to_regclass($1) AS t', [history])).rows).toEqual([{ t: null }]);
      await sql.migrate(history, [{ ...first, sql: 'SELECT 1' }]);
    });

    test('a failing migration leaves nothing, is named in the error, and can be fixed', async () => {
      const [history, migrated] = [name(), name()];
      made.push(migrated);
      const good = { name: '0001-good', sql: `CREATE TABLE ${migrated} (a int)` };
      const bad = { name: '0002-bad', sql: `INSERT INTO ${migrated} VALUES (1); SELEKT` };
      await expect(sql.migrate(history, [good, bad])).rejects.toThrow(
        `${history}/0002-bad failed and was rolled back`,
      );
      expect((await sql.query(`SELECT * FROM ${migrated}`)).rows).toEqual([]);
      await sql.migrate(history, [good, { ...bad, sql: `INSERT INTO ${migrated} VALUES (1)` }]);
      expect((await sql.query(`SELECT * FROM ${migrated}`)).rows).toEqual([{ a: 1 }]);
    });

    test('a transaction is all or nothing after any first statement, and frees its connection', async () => {
      const add = (id: number) => [`INSERT INTO ${table} (id, n) VALUES ($1, 1)`, [id]] as const;
      const failing = (first: (tx: SqlTransaction) => Promise<unknown>) =>
        sql.transaction(async (tx) => {
          await first(tx);
          throw new Error('changed its mind');
        });
      // Each of them as the first statement and as a later one of a connection.
      for (let turn = 0; turn < 3; turn += 1) {
        await expect(failing((tx) => tx.query(...add(11)))).rejects.toThrow('changed its mind');
        await expect(failing((tx) => tx.query(`DELETE FROM ${table}`))).rejects.toThrow('changed its mind');
        const copied = failing(async (tx) => {
          const copy = tx.copyIn(`COPY ${table} (id, n) FROM STDIN`);
          await copy.write('12\t1\n');
          await copy.end();
        });
        await expect(copied).rejects.toThrow('changed its mind');
        const twice = await sql.transaction((tx) => tx.query(...add(1))).catch((error: unknown) => error);
        expect(sqlState(twice)).toBe('23505');
        expect(await sql.transaction(async () => turn)).toBe(turn);
        expect(await sum()).toBe('1000');
      }
      await sql.transaction(async (tx) => {
        const [, seen] = await Promise.all([
          tx.query(...add(11)),
          tx.query<{ n: bigint }>(`SELECT n FROM ${table} WHERE id = 11`),
        ]);
        expect(seen.rows).toEqual([{ n: 1n }]);
      });
      expect(await sum()).toBe('1001');
    });

    test('if the first statement fails, later ones do not run alone, and it is an error', async () => {
      const later = (tx: SqlTransaction) => tx.query(`INSERT INTO ${table} (id, n) VALUES ($1, 1)`, [11]);
      const copied = async (tx: SqlTransaction) => {
        const copy = tx.copyIn(`COPY ${table} (id, n) FROM STDIN`);
        await copy.write('11\t1\n');
        await copy.end();
      };
      // PostgreSQL reads a message completely: it has not started if the statement after BEGIN cannot be
      // read.
      const begins: ((tx: SqlTransaction) => Promise<unknown>)[] = [
        (tx) => tx.query('SELEKT 1'),
        (tx) => tx.query('SELEKT $1::int', [1]),
        async (tx) => {
          const copy = tx.copyIn(`COPI ${table} FROM STDIN`);
          await copy.end();
        },
        (tx) => tx.query(`INSERT INTO ${table} (id, n) VALUES ($1, 1)`, [1]),
      ];
      for (let turn = 0; turn < 2; turn += 1)
        for (const begin of begins)
          for (const goOn of [later, copied]) {
            await expect(
              sql.transaction(async (tx) => {
                await begin(tx).catch(() => {});
                await goOn(tx);
              }),
            ).rejects.toThrow(/accepts no more|is aborted/);
            await expect(sql.transaction((tx) => Promise.allSettled([begin(tx), goOn(tx)]))).rejects.toThrow(
              'was rolled back',
            );
            await expect(sql.transaction((tx) => begin(tx).catch(() => {}))).rejects.toThrow(
              'was rolled back',
            );
          }
      const late = await sql.transaction(async (tx) => {
        void tx.query(`UPDATE ${table} SET n = n WHERE id = $1`, [1]);
        return { told: later(tx).catch((error: unknown) => error) };
      });
      expect(String(await late.told)).toContain('transaction has ended');
      expect(await sum()).toBe('1000');
    });

    test('after a lost connection in the first statement or a copy, later statements fail too', async () => {
      const lost = sql.transaction(async (tx) => {
        await tx.query('SELECT pg_terminate_backend(pg_backend_pid()), $1::int', [1]).catch(() => {});
        await tx.query(`INSERT INTO ${table} (id, n) VALUES (11, 1)`);
      });
      await expect(lost).rejects.toBeInstanceOf(SqlUnavailable);
      const copied = sql.transaction(async (tx) => {
        await tx.query('SELECT 1');
        const copy = tx.copyIn(`COPY ${table} (id, n) FROM STDIN`);
        await copy.write('11\t1\n');
        const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY ${table} %'`;
        const ended = async () => (await under.other.query(end)).rows.length;
        while ((await ended()) === 0);
        while ((await ended()) > 0);
        // More than a socket buffers, so that it waits for space that never comes.
        await copy.write(Buffer.alloc(8 * 1024 * 1024, '12\t1\n'));
        await copy.end();
      });
      await expect(copied).rejects.toBeInstanceOf(SqlUnavailable);
      expect(await sum()).toBe('1000');
    });

    test('replaces a connection that has lost its prepared statements', async () => {
      const add = (tx: SqlTransaction) => tx.query(`UPDATE ${table} SET n = n + $1 WHERE id = 1`, [1]);
      for (let turn = 0; turn < 3; turn += 1) await sql.transaction(add);
      await sql.query('DEALLOCATE ALL');
      await sql.transaction(add);
      await sql.query('DEALLOCATE ALL');
      expect(await n(1)).toBe(104n);
    });

    test('a copy adds rows in its transaction, with any content', async () => {
      const copied = name();
      made.push(copied);
      await sql.query(`CREATE TABLE ${copied} (id int PRIMARY KEY, said text)`);
      const rows = await sql.transaction(async (tx) => {
        const copy = tx.copyIn(`COPY ${copied} (id, said) FROM STDIN`);
        for (let id = 0; id < 20_000; id += 100)
          await copy.write(
            Array.from({ length: 100 }, (_, k) => `${id + k}\tn\u00e4me\\t${id + k}\n`).join(''),
          );
        const count = await copy.end();
        await tx.query(`UPDATE ${copied} SET said = said || '!' WHERE id = 7`);
        return count;
      });
      expect(rows).toBe(20_000);
      const { rows: kept } = await sql.query(
        `SELECT (SELECT count(*) FROM ${copied}) AS count, said FROM ${copied} WHERE id = 7`,
      );
      expect(kept).toEqual([{ count: 20_000n, said: 'n\u00e4me\t7!' }]);
    });

    test('a copy that is rejected, stopped or not ended leaves nothing, frees its connection', async () => {
      const write = (end: 'end' | 'throw' | 'forget', rows: string) =>
        sql.transaction(async (tx) => {
          const copy = tx.copyIn(`COPY ${table} (id, n) FROM STDIN`);
          await copy.write(rows);
          if (end === 'throw') throw new Error('the file was damaged');
          if (end === 'end') await copy.end();
        });
      await expect(write('throw', '11\t1\n')).rejects.toThrow('the file was damaged');
      await expect(write('forget', '12\t1\n')).rejects.toThrow('rolled back');
      const twice = await write('end', '13\t1\n13\t1\n').catch((error: unknown) => sqlState(error));
      expect(twice).toBe('23505');
      await expect(write('end', 'what\n')).rejects.toThrow('integer');
      expect(await sum()).toBe('1000');
      await write('end', '14\t1\n');
      expect(await sum()).toBe('1001');
    });

    test('a copy is one transaction with the statements before it, committed when answered', async () => {
      const alone = (before: string, rows: string, end: 'end' | 'throw' | 'forget' = 'end') =>
        sql.copyIn(`${before} COPY ${table} (id, n) FROM STDIN`, async (copy) => {
          await copy.write(rows);
          if (end === 'throw') throw new Error('the file was damaged');
          if (end === 'end') expect(await copy.end()).toBe(rows.split('\n').length - 1);
        });
      const seen = async () => (await under.other.query(`SELECT sum(n) AS n FROM ${table}`)).rows[0]!['n'];
      await alone('', '11\t1\n');
      expect(await seen()).toBe('1001');
      await alone(
        `UPDATE ${table} SET n = n + 1 WHERE id = 1; SELECT id, n FROM ${table};`,
        '12\t1\n13\t1\n',
      );
      expect(await seen()).toBe('1004');
      // Whatever fails, the previous statement has not happened either.
      const undone = `UPDATE ${table} SET n = 0;`;
      expect(sqlState(await alone(undone, '14\t1\n14\t1\n').catch((error: unknown) => error))).toBe('23505');
      await expect(alone(undone, 'what\n')).rejects.toThrow('integer');
      await expect(alone(undone, '15\t1\n', 'throw')).rejects.toThrow('the file was damaged');
      await expect(alone(undone, '15\t1\n', 'forget')).rejects.toThrow('stopped the copy');
      await expect(alone('SELECT 1 / 0;', '15\t1\n')).rejects.toThrow('division by zero');
      await expect(alone('SELEKT 1;', '15\t1\n')).rejects.toThrow('syntax error');
      await expect(
        sql.copyIn(
          `${undone} SELECT pg_terminate_backend(pg_backend_pid()); COPY ${table} (id, n) FROM STDIN`,
          (copy) => copy.end(),
        ),
      ).rejects.toBeInstanceOf(SqlUnavailable);
      expect(await seen()).toBe('1004');
      await sql.transaction((tx) => tx.query(`UPDATE ${table} SET n = n + 1 WHERE id = 1`));
      expect(await seen()).toBe('1005');
    });

    test('a copy waits behind a statement; writing on after its rejection is an error', async () => {
      await sql.transaction(async (tx) => {
        await tx.query('SELECT 1');
        const slow = tx.query('SELECT pg_sleep(0.05)');
        const copy = tx.copyIn(`COPY ${table} (id, n) FROM STDIN`);
        await copy.write('11\t1\n');
        await copy.write('12\t1\n');
        expect(await copy.end()).toBe(2);
        await slow;
      });
      expect(await sum()).toBe('1002');
      const refused = sql.transaction(async (tx) => {
        const copy = tx.copyIn(`COPY ${table} (id, n) FROM STDIN`);
        await copy.write('13\tmany\n');
        for (let turn = 0; turn < 100_000; turn += 1) {
          await new Promise((wake) => setImmediate(wake));
          await copy.write('14\t1\n');
        }
      });
      expect(sqlState(await refused.catch((error: unknown) => error))).toBe('22P02');
      expect(await sum()).toBe('1002');
    });

    test('a copy that outlives its transaction does not write into another one', async () => {
      const statement = `COPY ${table} (id, n) FROM STDIN`;
      const begin = async (how: 'end' | 'forget' | 'refused'): Promise<CopyIn> => {
        let copy: CopyIn | undefined;
        await sql
          .transaction(async (tx) => {
            await tx.query('SELECT 1');
            copy = tx.copyIn(statement);
            await copy.write(how === 'refused' ? 'what\n' : '');
            if (how !== 'forget') await copy.end();
          })
          .catch(() => {});
        return copy!;
      };
      for (const how of ['end', 'forget', 'refused'] as const) {
        const escaped = await begin(how);
        await sql.transaction(async (tx) => {
          const copy = tx.copyIn(statement);
          await copy.write('');
          await expect(escaped.write('98\t1\n')).rejects.toThrow('has ended');
          expect(await copy.end()).toBe(0);
          await expect(copy.write('97\t1\n')).rejects.toThrow('has ended');
        });
      }
      expect(await sum()).toBe('1000');
    });

    test('rows wait while the server reads none, and are rejected after a disconnect', async () => {
      const copied = name();
      made.push(copied);
      await sql.query(`CREATE TABLE ${copied} (said text)`);
      // More than the sockets between the two hold.
      const rows = `${'x'.repeat(1024 * 1024)}\n`.repeat(32);
      const statement = `COPY ${copied} (said) FROM STDIN`;
      const waiting = `SELECT pid FROM pg_stat_activity WHERE query = $1 AND wait_event_type = 'Lock'`;
      const copyWhile = async (atTheGate: (pid: unknown) => Promise<unknown>) => {
        let hasRoom = false;
        let copying: Promise<number> = Promise.resolve(0);
        await under.other.transaction(async (lock) => {
          await lock.query(`LOCK TABLE ${copied} IN ACCESS EXCLUSIVE MODE`);
          copying = sql.transaction(async (tx) => {
            await tx.query('SELECT 1');
            const copy = tx.copyIn(statement);
            await copy.write(rows);
            hasRoom = true;
            return copy.end();
          });
          copying.catch(() => {});
          let pid: unknown;
          while (pid === undefined) pid = (await under.other.query(waiting, [statement])).rows[0]?.['pid'];
          for (let turn = 0; turn < 20; turn += 1) await under.other.query('SELECT 1');
          expect(hasRoom).toBe(false);
          await atTheGate(pid);
        });
        return copying;
      };
      expect(await copyWhile(async () => {})).toBe(32);
      const ended = copyWhile((pid) =>
        under.other.query('SELECT pg_terminate_backend($1::int)', [pid as number]),
      );
      await expect(ended).rejects.toBeInstanceOf(SqlUnavailable);
      expect((await sql.query(`SELECT count(*) FROM ${copied}`)).rows).toEqual([{ count: 32n }]);
    });

    test('check resolves while the database works', async () => {
      await expect(sql.check()).resolves.toBeUndefined();
    });
  });
}
