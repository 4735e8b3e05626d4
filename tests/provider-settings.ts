import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpawnedPsp } from '#payment-simulator/spawn-psp.js';

/** With which a program calls the spawned provider; its certificate is written into the folder. */
export async function providerSettings(
  { addresses }: Pick<SpawnedPsp, 'addresses'>,
  folder: string,
  apiKey: string,
  webhookSecret: string,
): Promise<Readonly<Record<string, string>>> {
  const authorities = join(folder, 'psp.pem');
  await writeFile(authorities, addresses.certificate);
  return {
    PSP_BASE_URL: addresses.url,
    PSP_PINS: addresses.pin,
    PSP_AUTHORITIES: authorities,
    PSP_API_KEY: apiKey,
    WEBHOOK_SECRETS: webhookSecret,
  };
}
