import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiDocument } from '#platform/http/openapi.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import { proves } from '#tools/acceptance/proves.js';
import { paperTown } from './paper-town.js';
import { type Ground, openGround, type ServedApi, serveApi } from './served-api.js';

let ground: Ground;
let served: ServedApi;
const tokens: string[] = [];

beforeAll(async () => {
  ground = await openGround();
  served = await serveApi(ground, paperTown());
  tokens.push(await ground.token('anna', 'driver'), await ground.token('olle', 'operator'), 'no.token.this');
});
afterAll(async () => {
  await served.close();
  await ground.close();
});

/** Words that have broken servers before, mixed with random ones. */
const nasty = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e999',
    'NaN',
    'null',
    'true',
    '[]',
    '{}',
    '__proto__',
    'constructor',
    '../../etc/passwd',
    "' or 1=1--",
    '<img src=x onerror=alert(1)>',
    '%00',
    '\u0000',
    '\ud800',
    '🚗',
    '٣٫٤,٥',
    '57.7,11.96',
    '91,181',
    'a'.repeat(1_000),
    '9'.repeat(400),
    '#{7*7}',
    '\r\nx-injected: 1',
  ),
  fc.string({ maxLength: 40 }),
  fc.double().map(String),
);
const body = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.string({ maxLength: 200 }),
  nasty,
  fc.constant('['.repeat(5_000)),
);

/** Half of a surrogate pair cannot be sent at all. */
const wellFormed = (text: string): string => Buffer.from(text).toString();
const encoded = (text: string): string => encodeURIComponent(wellFormed(text));

function requestFor({ path, query, body: taken }: RouteContract) {
  const names = Object.keys(query?.properties ?? {});
  return fc.record({
    path: fc
      .array(nasty, { minLength: 4, maxLength: 4 })
      .map((words) => path.replace(/\{\w+\}/g, () => encoded(words.pop()!))),
    query: fc.dictionary(fc.constantFrom(...(names.length === 0 ? ['unknown'] : names), 'unknown'), nasty, {
      maxKeys: 5,
    }),
    body: taken === undefined ? fc.constant(undefined) : body,
    token: fc.constantFrom(...tokens, undefined),
  });
}

proves('F37', {
  asked: '1,000,000 malformed bodies and queries: only 4xx, no crash, no stack',
  shown: '40 hostile requests of every operation: only documented statuses, no 500, no stack',
  scaled: '40 per operation; 1,000,000 bodies of locations in the long run `fuzz-bodies`',
  control: {
    in: 'platform/http/server/parse-json.ts',
    change: "  } catch {\n    return refuse('The body is not valid JSON.');\n  }",
    to: '  } catch (error) {\n    throw error;\n  }',
  },
  from: 'outside',
});
test('F37: every operation answers any input with a status from its description, never a fault', async () => {
  const contracts = served.api.routes.map(({ contract }) => contract);
  const { paths } = openApiDocument({ title: '', version: '', description: '' }, contracts) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  };
  for (const contract of contracts) {
    const documented = Object.keys(paths[contract.path]![contract.method.toLowerCase()]!.responses);
    await fc.assert(
      fc.asyncProperty(requestFor(contract), async ({ path, query, body: sent, token }) => {
        const search = Object.entries(query).map(([name, value]) => `${name}=${encoded(value)}`);
        const answer = await served.call(contract.method, `${path}?${search.join('&')}`.slice(0, 1_900), {
          ...(token === undefined ? {} : { token }),
          ...(sent === undefined ? {} : { body: wellFormed(sent) }),
          listener: contract.listener === 'internal' ? 'internal' : 'public',
        });
        // A word with a slash, or an empty word, makes another path, which no operation answers.
        const allowed =
          path.split('/').length === contract.path.split('/').length ? documented : [...documented, '404'];
        expect(allowed, `${contract.operationId} answered ${answer.status}`).toContain(String(answer.status));
        expect(answer.status).not.toBe(500);
        // An operation in the layout of another API has its own errors, and its contract states this.
        const own = contract.responses[400]?.schema !== undefined ? ['application/json'] : [];
        if (answer.status >= 400)
          expect(['application/problem+json', ...own]).toContain(answer.headers.get('content-type'));
        expect(Buffer.from(answer.bytes).toString()).not.toMatch(/node_modules|\.ts:\d|\bat [A-Z]\w+\./);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  }
});
