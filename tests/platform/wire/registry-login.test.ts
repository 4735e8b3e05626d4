import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';

const proto = 'syntax = "proto3"; message A { string a = 1; }';

/** A registry behind HTTP Basic that has one schema. */
async function guarded(): Promise<{ readonly port: number; readonly refused: string[] }> {
  const refused: string[] = [];
  const expected = `Basic ${Buffer.from('me:sécret/1').toString('base64')}`;
  const server = createServer(({ headers, url = '' }, response) => {
    response.setHeader('content-type', 'application/vnd.schemaregistry.v1+json');
    if (headers.authorization !== expected) {
      refused.push(url);
      response.writeHead(401).end('{"error_code":40101,"message":"Unauthorized"}');
    } else if (url.startsWith('/config')) response.end('{"compatibilityLevel":"BACKWARD_TRANSITIVE"}');
    else response.end(url === '/subjects' ? '[]' : '{"id":7}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, refused };
}

test('a schema registry gets the login of its address, and no message shows it', async () => {
  const { port, refused } = await guarded();
  const registry = await openSchemaRegistry(`http://me:s%C3%A9cret%2F1@127.0.0.1:${port}/`);
  await registry.check();
  expect(await registry.register('a-value', proto)).toBe(7);
  expect(refused).toEqual([]);
  const wrong = await openSchemaRegistry(`http://me:guess@127.0.0.1:${port}`);
  const error = (await wrong.check().catch((each: unknown) => each)) as Error;
  expect(error).toMatchObject({ retriable: false });
  expect(error.message).toContain(`http://127.0.0.1:${port} refused`);
  expect(error.message).not.toContain('guess');
});
