import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Area } from '../routing/areas.js';
import { mapFolder, type PeerMap, peerCommand } from './peer-maps.js';

/** A peer with its map loaded, which answers one request at a time. */
export interface PeerProcess {
  readonly pid: number;
  ask<Answer>(request: { readonly do: string } & Readonly<Record<string, unknown>>): Promise<Answer>;
  close(): Promise<void>;
}

/** Starts a peer and waits until its map is loaded. */
export async function startPeer(
  map: PeerMap,
  area: Area,
  folder = mapFolder(map, area),
): Promise<PeerProcess> {
  const [command, ...args] = peerCommand('serve', map, folder, []);
  const child = spawn(command!, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const kill = (): void => void child.kill('SIGKILL');
  process.on('exit', kill);
  const closed = once(child, 'close').then(() => process.off('exit', kill));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const peer: PeerProcess = {
    pid: child.pid!,
    async ask<Answer>(request: object): Promise<Answer> {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const line = await lines.next();
      if (line.done === true)
        throw new Error(`${map} ended; run it by hand: ${[command, ...args].join(' ')}`);
      const answer = JSON.parse(line.value) as Answer & { error?: string };
      if (answer.error !== undefined) throw new Error(`${map}: ${answer.error}`);
      return answer;
    },
    async close() {
      child.stdin.end();
      await closed;
    },
  };
  await peer.ask({ do: 'hello' });
  return peer;
}
