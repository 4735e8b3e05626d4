import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

interface Running {
  readonly child: ChildProcess;
  readonly port: number;
}

/**
 * Some processes that serve reservations on one database; any of them may be killed at any time and restarts
 * on another port.
 */
export class StormServers {
  readonly #address: string;
  readonly #options: object;
  readonly #running: Array<Running | undefined>;
  readonly #coming: Array<Promise<void> | undefined>;
  #closed = false;
  tokens: readonly string[] = [];
  kills = 0;

  private constructor(address: string, options: object, many: number) {
    this.#address = address;
    this.#options = options;
    this.#running = new Array<undefined>(many).fill(undefined);
    this.#coming = new Array<undefined>(many).fill(undefined);
  }

  /** `folder` holds the key of the tokens, so that they outlive a process. */
  static async open(address: string, folder: string, options: object, many = 4): Promise<StormServers> {
    const servers = new StormServers(address, { ...options, folder }, many);
    process.on('exit', () => servers.#running.map((one) => one?.child.kill('SIGKILL')));
    // One after the other: the first creates the key.
    for (let at = 0; at < many; at += 1) await servers.#start(at);
    return servers;
  }

  /** The port of a running server, another one for each `turn`; undefined while all are down. */
  port(turn: number): number | undefined {
    const there = this.#running.filter((one) => one !== undefined);
    return there[turn % Math.max(1, there.length)]?.port;
  }

  /**
   * Kills one of the running servers (0 ≤ `random` < 1 selects it) and restarts it; waits while half of them
   * are down.
   */
  async kill(random: number): Promise<void> {
    let there = this.#there();
    while (there.length * 2 <= this.#running.length) {
      await Promise.race(this.#coming.filter((one) => one !== undefined));
      there = this.#there();
    }
    const at = there[Math.floor(random * there.length)]!;
    if (this.#closed) return;
    this.#running[at]!.child.kill('SIGKILL');
    this.#running[at] = undefined;
    this.kills += 1;
    this.#coming[at] = this.#start(at).finally(() => {
      this.#coming[at] = undefined;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#coming.filter((one) => one !== undefined));
    for (const one of this.#running) one?.child.kill('SIGKILL');
  }

  #there(): readonly number[] {
    return this.#running.flatMap((one, at) => (one === undefined ? [] : [at]));
  }

  async #start(at: number): Promise<void> {
    const script = fileURLToPath(new URL('./reservation-server.js', import.meta.url));
    // The tokens of the first one are valid at all of them.
    const options = this.tokens.length === 0 ? this.#options : { ...this.#options, tokens: 0 };
    const child = spawn(process.execPath, [script, this.#address, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { port, tokens } = JSON.parse(line) as {
      readonly port: number;
      readonly tokens: readonly string[];
    };
    if (tokens.length > 0) this.tokens = tokens;
    this.#running[at] = { child, port };
  }
}
