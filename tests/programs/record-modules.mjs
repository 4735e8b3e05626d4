// Preloaded into a program: appends the address of each module that any thread loads to LOADED_MODULES.
import { appendFileSync } from 'node:fs';
import { register } from 'node:module';

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  appendFileSync(process.env.LOADED_MODULES, `${url}\n`);
  return next(url, context);
}

// The hooks run in a thread that loads this file again; there nothing is to be registered.
if (!process.execArgv.includes('--hooks') && !globalThis.modulesAreRecorded) {
  globalThis.modulesAreRecorded = true;
  register(import.meta.url);
}
