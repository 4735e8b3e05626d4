import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Driver {
  readonly userId: string;
  readonly token: string;
}

/** What only the sender knows about a batch: the checker's own record, written before the request. */
export interface SentBatch {
  readonly batchId: string;
  readonly userId: string;
  /** `[lat, lng, timestamp]`; no two batches of a user share a timestamp. */
  readonly locs: readonly (readonly [number, number, number])[];
  /** `refused` only if no attempt can have had an effect; `unknown` if a connection broke during one. */
  fate: 'unsent' | 'unknown' | 'refused' | 'acknowledged';
}

export interface Senders {
  readonly batches: readonly SentBatch[];
  /** Connections that broke, by error code; a refused connection among them as ECONNREFUSED. */
  readonly faults: ReadonlyMap<string, number>;
  /** Responses by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** `Retry-After` of each 503; NaN where it had none. */
  readonly retryAfterS: readonly number[];
  acknowledged(): number;
  /** Resolves after this many more acknowledged batches. */
  more(batches: number, withinMs?: number): Promise<void>;
  /** Lets the requests in progress end; nothing is sent again. */
  stop(): Promise<void>;
}

export interface SenderOptions {
  /** Between the points of senders that follow each other. */
  readonly apartMs?: number;
  /** Between an acknowledged batch and the next one of the same driver. */
  readonly pauseMs?: number;
  /** A client gives up after this time without an answer, and sends again. */
  readonly answerWithinMs?: number;
  readonly pointsPerBatch?: number;
}

type Answer =
  | { readonly status: number; readonly retryAfter: string | undefined }
  | { readonly fault: string };

const retryMs = 50;
/** Far enough in the past that no batch can reach the future. */
const agoMs = 3_600_000;
/** Senders that follow each other in one test must not repeat each other's points. */
const apartMs = 600_000;
let startedMs = 0;

/**
 * Drivers who each send one batch after another over one persistent connection, and retry it with the same id
 * until it is acknowledged, like a phone.
 */
export function startSenders(url: string, drivers: readonly Driver[], options: SenderOptions = {}): Senders {
  const { answerWithinMs = 60_000, pointsPerBatch = 3, pauseMs = 10 } = options;
  const batches: SentBatch[] = [];
  const faults = new Map<string, number>();
  const statuses = new Map<number, number>();
  const retryAfterS: number[] = [];
  const count = <Key>(map: Map<Key, number>, key: Key): void => void map.set(key, (map.get(key) ?? 0) + 1);
  const baseMs = Date.now() - agoMs + startedMs;
  startedMs += options.apartMs ?? apartMs;
  let open = true;
  let acknowledged = 0;
  const running = Promise.all(drivers.map((driver) => drive(driver)));
  return {
    batches,
    faults,
    statuses,
    retryAfterS,
    acknowledged: () => acknowledged,
    async more(wanted, withinMs = 60_000) {
      const goal = acknowledged + wanted;
      const deadline = Date.now() + withinMs;
      while (acknowledged < goal) {
        if (Date.now() > deadline) {
          const seen = JSON.stringify({ faults: [...faults], statuses: [...statuses] });
          throw new Error(`${goal - acknowledged} of ${wanted} batches were not acknowledged: ${seen}`);
        }
        await sleep(5);
      }
    },
    async stop() {
      open = false;
      await running;
    },
  };

  async function drive({ userId, token }: Driver): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = 0; open; n++) {
      const batch: SentBatch = {
        batchId: randomUUID(),
        userId,
        // Computed when asked for: the points of a long run would fill the memory.
        get locs() {
          return locsOf(baseMs, n, pointsPerBatch);
        },
        fate: 'unsent',
      };
      batches.push(batch);
      while (open && batch.fate !== 'acknowledged') {
        const before = batch.fate;
        batch.fate = 'unknown';
        const answer = await post(agent, url, token, batch, answerWithinMs);
        if ('status' in answer) {
          count(statuses, answer.status);
          if (answer.status === 202) batch.fate = 'acknowledged';
          else if (before !== 'unknown') batch.fate = 'refused';
          if (answer.status === 503) retryAfterS.push(Number(answer.retryAfter ?? Number.NaN));
        } else {
          count(faults, answer.fault);
          if (answer.fault === 'ECONNREFUSED') batch.fate = before;
        }
        if (batch.fate !== 'acknowledged') await sleep(retryMs);
      }
      if (batch.fate === 'acknowledged') acknowledged++;
      await sleep(pauseMs);
    }
    agent.destroy();
  }
}

function locsOf(baseMs: number, n: number, points: number): SentBatch['locs'] {
  return Array.from({ length: points }, (_, i) => {
    const index = n * points + i;
    return [(577_000_000 + index) / 1e7, (119_700_000 + index) / 1e7, baseMs + index] as const;
  });
}

function post(
  agent: Agent,
  url: string,
  token: string,
  { batchId, locs }: SentBatch,
  timeout: number,
): Promise<Answer> {
  return new Promise((resolve) => {
    const sent = request(
      `${url}/v1/locations`,
      {
        agent,
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        timeout,
      },
      (answer) => {
        // The whole status line has been read: from here on the batch is acknowledged, even if the body
        // fails.
        resolve({ status: answer.statusCode!, retryAfter: answer.headers['retry-after'] });
        answer.on('error', () => undefined);
        answer.resume();
      },
    );
    sent.on('timeout', () => sent.destroy(Object.assign(new Error('no response'), { code: 'NO_ANSWER' })));
    sent.on('error', (error: NodeJS.ErrnoException) => resolve({ fault: error.code ?? error.message }));
    sent.end(JSON.stringify({ batch_id: batchId, locs }));
  });
}
