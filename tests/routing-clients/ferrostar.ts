import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

type Adapter = import('@stadiamaps/ferrostar').RouteAdapter;
export type FerrostarRoute = import('@stadiamaps/ferrostar').Route;

/** Node has it, its types do not. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    instantiate(
      bytes: Uint8Array,
      imports: object,
    ): Promise<{ readonly instance: { readonly exports: { __wbindgen_start(): void } } }>;
  };
};

let adapter: Adapter | undefined;

/** Ferrostar's core is a WebAssembly module, which a bundler would link. One is enough for a process. */
async function openAdapter(): Promise<Adapter> {
  const { resolve } = createRequire(import.meta.url);
  const glue = await import(pathToFileURL(resolve('@stadiamaps/ferrostar/ferrostar_bg.js')).href);
  const bytes = readFileSync(resolve('@stadiamaps/ferrostar/ferrostar_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './ferrostar_bg.js': glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return new glue.RouteAdapter('https://unused.example/route', 'auto');
}

/** The routes that Ferrostar reads in a response of OSRM. */
export async function readByFerrostar(response: Uint8Array): Promise<FerrostarRoute[]> {
  adapter ??= await openAdapter();
  return adapter.parseResponse(response);
}
