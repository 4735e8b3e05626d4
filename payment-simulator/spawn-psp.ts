import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { compiledFile } from '#platform/worker-pool/compiled-file.js';

export interface SpawnedPsp {
  readonly addresses: {
    readonly url: string;
    readonly controlUrl: string;
    /** PEM, for clients that must trust it. */
    readonly certificate: string;
    readonly pin: string;
  };
  readonly processId: number;
  close(): Promise<void>;
}

export interface SpawnPspOptions {
  /** Keeps the certificate, the ports and the record, so that the next start goes on where this one ended. */
  readonly folder: string;
  readonly seed: number;
  readonly apiKey: string;
  readonly webhookSecrets: readonly string[];
  readonly webhookUrl?: string;
  /** PEM file of authorities that it trusts there, beside those of Node. */
  readonly webhookAuthorities?: string;
  /** The one of the last start in this folder when absent, or any free one. */
  readonly port?: number;
  readonly controlPort?: number;
}

/** Starts the simulator as a process of its own; it ends with this process, however that ends. */
export async function spawnPsp(options: SpawnPspOptions): Promise<SpawnedPsp> {
  const child = spawn(process.execPath, [compiledFile('payment-simulator/main.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PSP_FOLDER: options.folder,
      PSP_SEED: String(options.seed),
      PSP_API_KEY: options.apiKey,
      PSP_WEBHOOK_SECRETS: options.webhookSecrets.join(','),
      ...(options.port === undefined ? {} : { PSP_PORT: String(options.port) }),
      ...(options.controlPort === undefined ? {} : { PSP_CONTROL_PORT: String(options.controlPort) }),
      ...(options.webhookUrl === undefined ? {} : { PSP_WEBHOOK_URL: options.webhookUrl }),
      ...(options.webhookAuthorities === undefined
        ? {}
        : { NODE_EXTRA_CA_CERTS: options.webhookAuthorities }),
    },
  });
  return { addresses: await addressesOf(child), processId: child.pid!, close: () => end(child) };
}

async function addressesOf(child: ChildProcess): Promise<SpawnedPsp['addresses']> {
  for await (const line of createInterface({ input: child.stdout! }))
    return JSON.parse(line) as SpawnedPsp['addresses'];
  throw new Error('The PSP simulator ended before it was ready.');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}
