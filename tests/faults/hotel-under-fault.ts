import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import { freePort, meridian, type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { issuerOf } from '../programs/drivers-of.js';

/** One reservation as its guest knows it; `unknown` while no answer was final. */
export interface Asked {
  readonly id: string;
  readonly token: string;
  fate: 'unknown' | 'reserved' | 'full';
}

export interface Guests {
  readonly asked: readonly Asked[];
  /** Answers by status, and broken connections as 0. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Resolves after this many more reservations. */
  more(reserved: number, withinMs?: number): Promise<void>;
  stop(): Promise<void>;
}

type Env = Readonly<Record<string, string>>;

interface Options {
  readonly rooms: number;
  readonly data?: string;
  /** For which there are rooms. */
  readonly days?: number;
  /** Further settings of the programs. */
  readonly env?: Env;
  /** As of `startProgram`. */
  readonly within?: readonly string[];
}

/** `meridian hotel serve` on PostgreSQL of its own, with one room type of one hotel. */
export class HotelUnderFault {
  readonly data: string;
  readonly #rooms: number;
  readonly #ports: readonly [number, number];
  readonly #env: Env;
  #program: RunningProgram;
  /** Opened with the first token. */
  #issuer: ReturnType<typeof issuerOf> | undefined;

  private constructor(
    data: string,
    rooms: number,
    ports: readonly [number, number],
    env: Env,
    program: RunningProgram,
  ) {
    this.data = data;
    this.#rooms = rooms;
    this.#ports = ports;
    this.#env = env;
    this.#program = program;
  }

  /** `data` is an empty folder, by default a new one. */
  static async open({ rooms, data, days = 30, env = {}, within = [] }: Options): Promise<HotelUnderFault> {
    const folder = data ?? (await mkdtemp(join(tmpdir(), 'meridian-hotel-fault-')));
    const size = `--hotels 1 --room-types 1 --rooms ${rooms} --days ${days} --json`.split(' ');
    const loaded = await meridian(['hotel', 'load', ...size], { MERIDIAN_DATA: folder, ...env });
    expect(loaded.code, loaded.stderr).toBe(0);
    const ports = [await freePort(), await freePort()] as const;
    const program = await started(folder, ports, env, within);
    return new HotelUnderFault(folder, rooms, ports, env, program);
  }

  get program(): RunningProgram {
    return this.#program;
  }

  async killed(): Promise<void> {
    await this.#program.stop('SIGKILL');
    this.#program = await started(this.data, this.#ports, this.#env);
  }

  /** A session at the program's own server. */
  sql(): Promise<Sql> {
    return openSql(`embedded:${join(this.data, 'sql')}`, { connectionsMax: 4 });
  }

  /** Process id of the program's PostgreSQL; undefined while there is none. */
  postgres(): number | undefined {
    const cluster = join(this.data, 'sql', 'home', 'cluster');
    if (!existsSync(cluster) || !readdirSync(cluster).includes('postmaster.pid')) return undefined;
    return Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  async token(user: string, ttlS = 3_600): Promise<string> {
    this.#issuer ??= issuerOf(this.data);
    const issuer = await this.#issuer;
    return issuer.issueToken({ sub: user, scopes: ['customer'], ttlS });
  }

  /** One call of the public listener; 0 when the connection broke. */
  async call(method: string, path: string, token: string, body?: object) {
    try {
      const answer = await fetch(this.#program.url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // Above one statement timeout and below two.
        signal: AbortSignal.timeout(50_000),
      });
      const retryAfterS = answer.headers.get('retry-after');
      return { status: answer.status, retryAfterS, json: JSON.parse((await answer.text()) || '{}') };
    } catch {
      return { status: 0, retryAfterS: null, json: {} };
    }
  }

  /** One room for one night, `nights` days from `from` days after today. */
  form(id: string, from = 10, nights = 1): object {
    const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Malta' }).format(new Date());
    const [startDate, endDate] = [addDays(today, from), addDays(today, from + nights - 1)];
    return {
      ...{ hotelID: 'h00001', roomTypeID: 't01', roomCount: '1' },
      ...{ reservationID: id, startDate, endDate },
    };
  }

  /** Each guest books one room after another, and repeats a request until its answer is final. */
  async guests(count: number, nightsOf: (n: number) => number = (n) => 1 + (n % 28)): Promise<Guests> {
    const asked: Asked[] = [];
    const statuses = new Map<number, number>();
    let [open, reserved, nth] = [true, 0, 0];
    const book = async (): Promise<void> => {
      while (open) {
        const one: Asked = { id: randomUUID(), token: await this.token(randomUUID()), fate: 'unknown' };
        const night = nightsOf(nth++);
        asked.push(one);
        while (open && one.fate === 'unknown') {
          const { status } = await this.call('POST', '/v1/reservations', one.token, this.form(one.id, night));
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status === 201 || status === 200) one.fate = 'reserved';
          else if (status === 409) one.fate = 'full';
          else await sleep(50);
        }
        if (one.fate === 'reserved') reserved += 1;
      }
    };
    const running = Promise.all(Array.from({ length: count }, book));
    return {
      asked,
      statuses,
      async more(wanted, withinMs = 60_000) {
        const goal = reserved + wanted;
        const deadline = Date.now() + withinMs;
        while (reserved < goal) {
          if (Date.now() > deadline)
            throw new Error(`${goal - reserved} of ${wanted} are missing: ${JSON.stringify([...statuses])}`);
          await sleep(5);
        }
      },
      async stop() {
        open = false;
        await running;
      },
    };
  }

  /** Ids of acknowledged reservations that their guests no longer see. */
  async lost(asked: readonly Asked[]): Promise<string[]> {
    const lost: string[] = [];
    for (const { id, token, fate } of asked) {
      if (fate !== 'reserved') continue;
      const { status, json } = await this.call('GET', `/v1/reservations/${id}`, token);
      if (status !== 200 || json.reservationID !== id) lost.push(id);
    }
    return lost;
  }

  /** Fails unless every count is the sum of its reservations, and none is above 110 % of the rooms. */
  async countsAreRight(): Promise<void> {
    const proof = await meridian(['hotel', 'prove'], { MERIDIAN_DATA: this.data, ...this.#env });
    expect([proof.code, JSON.parse(proof.stdout)], proof.stderr).toEqual([
      0,
      expect.objectContaining({ miscounted: [], lost: [] }),
    ]);
  }

  /** Rooms that a night may sell: 110 % of what there is. */
  get roomsMax(): number {
    return Math.floor((this.#rooms * 11) / 10);
  }

  async close(): Promise<void> {
    await this.#program.stop();
    // PostgreSQL ends a moment after its program.
    await rm(this.data, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }
}

/** The test requests more often than people do. */
const started = (
  data: string,
  ports: readonly [number, number],
  env: Env,
  within: readonly string[] = [],
): Promise<RunningProgram> =>
  startProgram('hotel', {
    data,
    ports,
    within,
    args: ['serve'],
    env: { BOOKINGS_PER_USER: '100000', RATE_PER_USER: '1000000', RATE_PER_ADDRESS: '1000000', ...env },
  });
