import { deleteIncident, type Incident, listIncidents, putIncident } from '#schemas/http/incidents.js';
import { getStatus } from '#schemas/http/map.js';
import type { FeedIncident } from '#traffic-exchange/feeds/plan-import.js';
import { OperatorClient, type OperatorClientOptions } from './operator-client.js';

/** The operators' side of the public interface, for a program that writes what a feed says. */
export class IncidentClient {
  readonly #client: OperatorClient;

  constructor(options: OperatorClientOptions) {
    this.#client = new OperatorClient(options);
  }

  /** The tileset whose edges the platform takes now. */
  async tilesetId(): Promise<string> {
    const { tileset } = (await this.#client.json('GET', getStatus.path)) as { tileset: { id: string } };
    return tileset.id;
  }

  async list(): Promise<FeedIncident[]> {
    const { incidents } = (await this.#client.json('GET', listIncidents.path)) as { incidents: Incident[] };
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
    await this.#client.json('PUT', putIncident.path.replace('{id}', id), {
      ...{ kind, tileset_id: tilesetId, edge_ids: edgeIds, note },
      ...(speedKph === undefined ? {} : { speed_kph: speedKph }),
      expires_at: new Date(expiresMs).toISOString(),
    });
  }

  /** One that is already over is no error. */
  async remove(id: string): Promise<void> {
    const path = deleteIncident.path.replace('{id}', id);
    const answer = await this.#client.ask('DELETE', path);
    if (!answer.ok && answer.status !== 404) throw await this.#client.refused('DELETE', path, answer);
    await answer.body?.cancel();
  }
}
