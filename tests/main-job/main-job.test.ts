import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { startPlatform } from './running-platform.js';
import { mainJob } from './scenario.js';

const folder = await mkdtemp(join(tmpdir(), 'meridian-main-job-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

mainJob('embedded adapters', () => startPlatform(folder, ['--drivers', '0']));
