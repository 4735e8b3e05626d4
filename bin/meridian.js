#!/usr/bin/env node
// Starts the compiled command; in a checkout that was never built it builds first, so that `npx meridian`
// just works.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const compiled = new URL('../dist/cli/main.js', import.meta.url);
if (!existsSync(compiled)) {
  const build = fileURLToPath(new URL('../tools/build.js', import.meta.url));
  const { status } = spawnSync(process.execPath, [build], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
await import(compiled.href);
