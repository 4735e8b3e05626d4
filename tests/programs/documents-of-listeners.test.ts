import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeContracts } from '#schemas/http/routes.js';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';

describe('API9: the OpenAPI document of each listener', () => {
  let data: string;
  let platform: RunningProgram;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-documents-'));
    platform = await startProgram('up', { data, args: ['--drivers', '0'] });
  });
  afterAll(async () => {
    await platform?.stop();
    await rm(data, { recursive: true, force: true });
  });

  const described = async (url: string): Promise<string[]> => {
    const answer = await fetch(`${url}/v1/openapi.json`);
    const { paths } = (await answer.json()) as { readonly paths: Readonly<Record<string, object>> };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
  };

  /** Without a token and with parameters that name nothing, so that nothing happens. */
  const isServed = async (url: string, operation: string): Promise<boolean> => {
    const [method = '', path = ''] = operation.split(' ');
    const answer = await fetch(url + path.replace(/\{\w+\}/g, '1'), { method });
    if (answer.status === 405) return false;
    return answer.status !== 404 || !(await answer.text()).includes('No such path.');
  };

  it.each(['public', 'internal'] as const)('%s: lists exactly what is served there', async (name) => {
    const url = name === 'public' ? platform.url : platform.internalUrl;
    const listed = await described(url);
    const every = new Set([...listed, ...routeContracts.map(({ method, path }) => `${method} ${path}`)]);
    const wrong: string[] = [];
    for (const operation of every)
      if ((await isServed(url, operation)) !== listed.includes(operation)) wrong.push(operation);
    expect(wrong).toEqual([]);
    expect(listed.length).toBeGreaterThan(60);
    expect(listed.includes('GET /metrics')).toBe(name === 'internal');
  });
});
