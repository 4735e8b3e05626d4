import { setTimeout as sleep } from 'node:timers/promises';
import { deleteIncident, type Incident, listIncidents, putIncident } from '#schemas/http/incidents.js';
import { getStatus } from '#schemas/http/map.js';
import type { FeedIncident } from '#traffic-exchange/feeds/plan-import.js';
import { CommandFailed, nothingAnswers } from './exit.js';

export interface IncidentClientOptions {
  readonly url: string;
  /** A bearer token for operators that is valid now. */
  readonly token: () => Promise<string>;
  readonly signal: AbortSignal;
}

const timeoutMs = 30_000;
/** Attempts of one request that the platform asks to repeat. */
const attemptsMax = 8;
const retryAfterSMax = 60;

/** The operators' side of the public interface, for a program that writes what a feed says. */
export class IncidentClient {
  readonly #options: IncidentClientOptions;

  constructor(options: IncidentClientOptions) {
    this.#options = options;
  }

  /** The tileset whose edges the platform takes now. */
  async tilesetId(): Promise<string> {
    const { tileset } = (await this.#json('GET', getStatus.path)) as { tileset: { id: string } };
    return tileset.id;
  }

  async list(): Promise<FeedIncident[]> {
    const { incidents } = (await this.#json('GET', listIncidents.path)) as { incidents: Incident[] };
    return incidents.map(({ incident_id: id, kind, edge_ids, speed_kph, expires_at, evidence }) => ({
      ...{ id, kind, edgeIds: edge_ids, note: evidence },
      ...(speed_kph === undefined ? {} : { speedKph: speed_kph }),
      expiresMs: expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at),
    }));
  }

  async put(
    { id, kind, edgeIds, speedKph, expiresMs, note }: FeedIncident,
    tilesetId: string,
  ): Promise<void> {
    await this.#json('PUT', putIncident.path.replace('{id}', id), {
      ...{ kind, tileset_id: tilesetId, edge_ids: edgeIds, note },
      ...(speedKph === undefined ? {} : { speed_kph: speedKph }),
      expires_at: new Date(expiresMs).toISOString(),
    });
  }

  /** One that is already over is no error. */
  async remove(id: string): Promise<void> {
    const path = deleteIncident.path.replace('{id}', id);
    const answer = await this.#ask('DELETE', path);
    if (!answer.ok && answer.status !== 404) throw await this.#refused('DELETE', path, answer);
    await answer.body?.cancel();
  }

  async #json(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await this.#ask(method, path, body);
    if (!answer.ok) throw await this.#refused(method, path, answer);
    return answer.json();
  }

  /** Waits as long as the platform asks for. */
  async #ask(method: string, path: string, body?: object): Promise<Response> {
    const { url, token, signal } = this.#options;
    for (let attempt = 1; ; attempt++) {
      let answer: Response;
      try {
        answer = await fetch(url + path, {
          method,
          redirect: 'error',
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
          headers: {
            authorization: `Bearer ${await token()}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      } catch {
        signal.throwIfAborted();
        throw nothingAnswers(url);
      }
      const retryAfterS = Number(answer.headers.get('retry-after') ?? 'none');
      const isAsked = [429, 503].includes(answer.status) && retryAfterS >= 0;
      if (!isAsked || attempt === attemptsMax) return answer;
      await answer.body?.cancel();
      await sleep(1_000 * Math.min(retryAfterS, retryAfterSMax), undefined, { signal });
    }
  }

  async #refused(method: string, path: string, answer: Response): Promise<CommandFailed> {
    const text = await answer.text();
    return new CommandFailed(
      `${method} ${this.#options.url}${path} answered with ${answer.status}: ${text.slice(0, 1_000)}`,
    );
  }
}
