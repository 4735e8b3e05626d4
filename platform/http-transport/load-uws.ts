import type * as Legacy from 'uWebSockets.js';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { binaryDigests } from './uws-digests.js';

/** The published types lack the call with host and options, and `close`. */
export type UwsApp = Omit<Legacy.TemplatedApp, 'listen'> & {
  listen(
    host: string,
    port: number,
    options: number,
    done: (socket: UwsListenSocket | false) => void,
  ): UwsApp;
  close(): void;
};
export type UwsRequest = Legacy.HttpRequest;
export type UwsResponse = Legacy.HttpResponse;
export type UwsSocket<T> = Legacy.WebSocket<T>;
export type UwsListenSocket = Legacy.us_listen_socket;
export type UwsUpgradeContext = Legacy.us_socket_context_t;

/** As the native code names them; throws where it cannot read them. */
export type UwsTls = Pick<Legacy.AppOptions, 'key_file_name' | 'cert_file_name' | 'passphrase'>;

/** The part of uWebSockets.js that is used here; the two published bindings name some of it differently. */
export interface Uws {
  /** Package that was loaded. */
  readonly binding: string;
  /** Built into the native code; see `HttpTransport`. */
  readonly idleS: number;
  readonly headBytesMax: number;
  /** With the files of a certificate it speaks TLS 1.2 and newer only. */
  createApp(tls?: UwsTls): UwsApp;
  closeListenSocket(socket: UwsListenSocket): void;
  portOf(socket: UwsListenSocket): number;
  forEachHeader(request: UwsRequest, visit: (name: string, value: string) => void): void;
  /** Without it two processes may listen on one port and the kernel spreads the connections. */
  readonly exclusivePort: number;
}

/** Older systems first: the newer binding needs glibc 2.38 and fails to load where the older one works. */
const bindings = ['uWebSockets.js', 'uws-modern'] as const;

export type UwsOutcome =
  | { readonly ok: true; readonly uws: Uws }
  /** One sentence for people. */
  | { readonly ok: false; readonly reason: string };

const builtIn = {
  'uWebSockets.js': { idleS: 10, headBytesMax: 16 * 1_024 },
  'uws-modern': { idleS: 30, headBytesMax: 4 * 1_024 },
} as const;

let outcome: UwsOutcome | undefined;

/**
 * The first native binding that loads on this machine. Through `createRequire`: a binding that fails inside
 * `import()` ends the process although the error is caught.
 */
export function findUws(): UwsOutcome {
  outcome ??= firstThatLoads();
  return outcome;
}

/** The same, but throws the reason if no binding loads. */
export function loadUws(): Uws {
  const found = findUws();
  if (!found.ok) throw new Error(found.reason);
  return found.uws;
}

function firstThatLoads(): UwsOutcome {
  const require = createRequire(import.meta.url);
  const failures: string[] = [];
  for (const binding of bindings) {
    try {
      checkDigest(require, binding);
      return { ok: true, uws: adapt(binding, require(binding) as Record<string, unknown>) };
    } catch (error) {
      failures.push(`${binding}: ${lastLine(error)}`);
    }
  }
  const reason =
    `no build of uWebSockets.js runs on ${process.platform}-${process.arch} with Node ` +
    `${process.versions.node} (${failures.join('; ')})`;
  return { ok: false, reason };
}

/** We do not build the native file, so only a file that was reviewed may run. */
function checkDigest(require: NodeJS.Require, binding: string): void {
  const name = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
  const expected = binaryDigests[`${binding}/${name}`];
  if (expected === undefined) throw new Error(`has no reviewed binary ${name}`);
  requireDigest(join(dirname(require.resolve(binding)), name), expected);
}

/** Throws when a file has another sha256 than expected. */
export function requireDigest(file: string, expected: string): void {
  const actual = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (actual !== expected) {
    throw new Error(
      `${basename(file)} has sha256 ${actual} instead of ${expected}; run npm ci to restore it`,
    );
  }
}

function adapt(binding: (typeof bindings)[number], driver: Record<string, unknown>): Uws {
  const call = (...names: string[]) => {
    const found = names.map((name) => driver[name]).find((value) => typeof value === 'function');
    if (found === undefined) throw new Error(`lacks ${names.join(' and ')}`);
    return found as (...values: unknown[]) => unknown;
  };
  const closeListenSocket = call('us_listen_socket_close', 'closeSocket');
  const [app, secureApp] = [call('App'), call('SSLApp')];
  const portOf = call('us_socket_local_port', 'getSocketPort');
  return {
    binding,
    ...builtIn[binding],
    createApp: (tls) => (tls === undefined ? app() : secureApp(tls)) as UwsApp,
    closeListenSocket: (socket) => void closeListenSocket(socket),
    portOf: (socket) => portOf(socket) as number,
    forEachHeader(request, visit) {
      const either = request as unknown as Record<string, ((visit: unknown) => void) | undefined>;
      if (either['forEach'] === undefined) request.forEachHeader(visit);
      else either['forEach'](visit);
    },
    exclusivePort: driver['LIBUS_LISTEN_EXCLUSIVE_PORT'] as number,
  };
}

function lastLine(error: unknown): string {
  const lines = String(error instanceof Error ? error.message : error)
    .trim()
    .split('\n');
  return lines.at(-1) ?? 'failed to load';
}
