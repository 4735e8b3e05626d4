import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

interface Ports {
  readonly port: number;
  readonly controlPort: number;
}

/** A simulator ends by itself within moments when its parent is killed. */
const waitMs = 5_000;
const lookEveryMs = 50;

/**
 * The ports of the last start, so that links to its pages still work; 0 (any free port) if there was none or
 * another program uses it. Resolves when the simulator of the last start has ended: it writes to the same
 * record.
 */
export async function readSavedPorts(folder: string): Promise<Ports> {
  const file = fileIn(folder);
  const kept = existsSync(file) ? parse(readFileSync(file, 'utf8')) : undefined;
  if (kept === undefined) return { port: 0, controlPort: 0 };
  const [port, controlPort] = await Promise.all([ifFree(kept.port), ifFree(kept.controlPort)]);
  return { port, controlPort };
}

export function savePorts(folder: string, { port, controlPort }: Ports): void {
  writeFileSync(fileIn(folder), JSON.stringify({ port, controlPort }));
}

const fileIn = (folder: string): string => join(folder, 'ports.json');

function parse(text: string): Ports | undefined {
  try {
    const { port, controlPort } = JSON.parse(text) as Partial<Ports>;
    return isPort(port) && isPort(controlPort) ? { port, controlPort } : undefined;
  } catch {
    return undefined;
  }
}

const isPort = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536;

async function ifFree(port: number): Promise<number> {
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += lookEveryMs) {
    if (await isFree(port)) return port;
    await delay(lookEveryMs);
  }
  return 0;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
