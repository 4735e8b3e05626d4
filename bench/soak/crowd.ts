import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { type NavClient, startNavigation } from '#simulated-city/nav-client.js';
import { connectPlatform, type PlatformClient } from '#simulated-city/platform-client.js';
import { randomPairs } from '../routing/pairs.js';

/** Navigations that are begun side by side: a platform serves its drivers besides. */
const atOnce = 16;
const openWithinMs = 30_000;
/** A platform that is busy refuses requests for a while. */
const tokenAttempts = 30;
const tokenRetryMs = 1_000;

/**
 * Users who navigate, each over a socket of their own, and stand still. Resolves when all have a route or
 * were refused one.
 *
 * @param baseUrl - the public listener
 */
export async function gatherCrowd(
  baseUrl: string,
  network: RoadNetwork,
  users: number,
): Promise<{ readonly guided: number; leave(): void }> {
  const client = connectPlatform(baseUrl);
  const pairs = randomPairs(network, users, 7);
  const open: NavClient[] = [];
  let guided = 0;
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < users) {
      const nth = next++;
      const token = await tokenOf(client, `soak-${nth}`);
      const [lat, lng, toLat, toLng] = pairs[nth]!;
      const isGuided = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), openWithinMs);
        const settle = (result: boolean): void => {
          clearTimeout(timer);
          resolve(result);
        };
        open.push(
          startNavigation(
            baseUrl,
            token,
            { lat, lng, headingDeg: 0 },
            { lat: toLat, lng: toLng },
            { started: () => settle(true), rerouted: () => undefined, lost: () => settle(false) },
          ),
        );
      });
      if (isGuided) guided++;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await client.close();
  return {
    guided,
    leave() {
      for (const each of open) each.end();
    },
  };
}

async function tokenOf(client: PlatformClient, sub: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.token(sub);
    } catch (error) {
      if (attempt === tokenAttempts) throw error;
    }
    await new Promise((wake) => setTimeout(wake, tokenRetryMs));
  }
}
