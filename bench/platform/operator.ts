import { type NewIncident, postIncident } from '#schemas/http/incidents.js';
import { type PlatformWorld, ports } from './platform-world.js';

/** Its token; it may close roads. */
export const operatorToken = 'operator';

const lastsS = 240;

/** An operator who closes a road now and then, whatever is true in the city. */
export class Operator {
  readonly #world: Pick<PlatformWorld, 'phoneNetwork'>;
  /** Incidents that the platform has acknowledged. */
  readonly acknowledged: string[] = [];

  constructor(world: Pick<PlatformWorld, 'phoneNetwork'>) {
    this.#world = world;
  }

  async close(edgeId: string): Promise<void> {
    const incident: NewIncident = { kind: 'closed', edge_id: edgeId, expires_in_s: lastsS };
    const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' };
    const body = Buffer.from(JSON.stringify(incident));
    // Without an answer nothing is promised, and the next road is closed all the same.
    const reply = await this.#world.phoneNetwork
      .post(ports.api, postIncident.path, headers, body)
      .catch(() => undefined);
    if (reply?.status !== 201) return;
    this.acknowledged.push((JSON.parse(reply.text) as { readonly incident_id: string }).incident_id);
  }
}
