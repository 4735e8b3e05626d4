import { expect } from 'vitest';
import type { Incident } from '#schemas/http/incidents.js';
import { eventually } from '../../eventually.js';
import { decodeLine, lengthM, placesAlong } from '../../main-job/drive.js';
import { destination, origin } from '../../main-job/turning-away.js';
import type { DefaultPlatform } from '../default-platform.js';
import { callerOf, openSocket, type Person } from '../person.js';

/** Closes a road ahead of a driver, sees it listed and the driver led around it, and opens it again. */
export async function operator(platform: DefaultPlatform): Promise<Person> {
  const [desk, driver] = await Promise.all([
    callerOf(platform, 'daily-operator', 'operator'),
    callerOf(platform, 'daily-detour', 'driver'),
  ]);
  const listed = async (): Promise<readonly string[]> => {
    const { incidents } = await desk.ask<{ incidents: readonly Incident[] }>('GET', '/v1/incidents');
    return incidents.map(({ incident_id }) => incident_id);
  };
  return {
    name: 'operator',
    everyMs: 45_000,
    async round() {
      const socket = await openSocket(platform, driver.token);
      try {
        socket.send({ type: 'start', origin, destination });
        const { route, navigation_id } = await socket.next('started');
        const line = decodeLine(route.polyline);
        const [at] = placesAlong(line, lengthM(line) * 0.6, lengthM(line) * 0.6, 1);
        const closed = await desk.ask<Incident>('POST', '/v1/incidents', {
          ...{ kind: 'closed', at, expires_in_s: 60, note: 'burst pipe' },
        });
        const around = await socket.next('reroute');
        expect(around.route.edge_ids.filter((id) => closed.edge_ids.includes(id))).toEqual([]);
        expect(around.reason).not.toBe('');
        await eventually(async () => expect(await listed()).toContain(closed.incident_id));
        await desk.ask('DELETE', `/v1/incidents/${closed.incident_id}`);
        await eventually(async () => expect(await listed()).not.toContain(closed.incident_id));
        socket.send({ type: 'end', navigation_id });
        await socket.next('ended');
      } finally {
        socket.close();
      }
    },
    async finish() {
      const { code, stdout } = await platform.command('doctor', '--json');
      const found = JSON.parse(stdout) as readonly { readonly check: string; readonly state: string }[];
      expect([code, found.filter(({ state }) => state === 'failed')]).toEqual([0, []]);
    },
  };
}
