import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '#platform/config/folders.js';
import { type Certificate, makeCertificate } from './certificate.js';
import { startPspSimulator } from './psp-simulator.js';
import { readSavedPorts, savePorts } from './saved-ports.js';
import type { SpawnedPsp } from './spawn-psp.js';

/** What the parent says by environment; everything the simulator keeps lies in its folder. */
const folder = process.env['PSP_FOLDER'];
const apiKey = process.env['PSP_API_KEY'];
const secrets = process.env['PSP_WEBHOOK_SECRETS']?.split(',');
if (folder === undefined || apiKey === undefined || secrets === undefined) {
  console.error('The PSP simulator needs PSP_FOLDER, PSP_API_KEY and PSP_WEBHOOK_SECRETS.');
  process.exit(2);
}
makeFolder(folder);
const certificateFile = join(folder, 'certificate.json');
if (!existsSync(certificateFile)) {
  const draft = `${certificateFile}.draft`;
  const made = JSON.stringify(makeCertificate('PSP simulator', Date.now()));
  writeFileSync(draft, made, { mode: 0o600, flush: true });
  renameSync(draft, certificateFile);
}
const certificate = JSON.parse(readFileSync(certificateFile, 'utf8')) as Certificate;
const kept = await readSavedPorts(folder);
const simulator = await startPspSimulator({
  seed: Number(process.env['PSP_SEED'] ?? 1),
  recordFile: join(folder, 'record.ndjson'),
  certificate,
  port: Number(process.env['PSP_PORT'] ?? kept.port),
  controlPort: Number(process.env['PSP_CONTROL_PORT'] ?? kept.controlPort),
  apiKey,
  webhookSecrets: secrets,
  ...(process.env['PSP_WEBHOOK_URL'] === undefined ? {} : { webhookUrl: process.env['PSP_WEBHOOK_URL'] }),
});
const { url, controlUrl, pin } = simulator;
savePorts(folder, { port: portOf(url), controlPort: portOf(controlUrl) });
const ready: SpawnedPsp['addresses'] = { url, controlUrl, certificate: simulator.certificate, pin };
process.stdout.write(`${JSON.stringify(ready)}\n`);

function portOf(address: string): number {
  return Number(new URL(address).port);
}

/** Time for webhooks and requests in flight to end. */
const closeWithinMs = 1_000;
let closing = false;
async function close(): Promise<void> {
  if (closing) return;
  closing = true;
  setTimeout(() => process.exit(0), closeWithinMs).unref();
  await simulator.close();
  process.exit(0);
}
process.on('SIGTERM', () => void close());
process.on('SIGINT', () => void close());
// The parent has ended; nothing else would stop this process.
process.stdin.on('end', () => void close());
process.stdin.resume();
