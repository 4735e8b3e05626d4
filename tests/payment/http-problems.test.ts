import { expect, it } from 'vitest';
import { paymentHttp } from '#payment/http/payment-http.js';
import { proves } from '#tools/acceptance/proves.js';
import { everyFailureIsAProblem, everyRefusalIsAProblem } from '../http-problems.js';
import { OrdersRoom } from './orders-fixture.js';

proves('P-128', {
  asked: 'one problem schema everywhere',
  shown:
    'all operations × no token, other method, three broken bodies, ids of nobody; what reads without tables',
  control: {
    in: 'platform/http/server/request-pipeline.ts',
    change: "    const list = allow.join(', ');\n",
    to: `    const list = allow.join(', ');
    if (list !== '') return { status: 405, headers: { allow: list }, body: { error: 'no such method' } };
`,
  },
});
it('P-128: every refusal and failure of every operation is one kind of problem document', async () => {
  const room = await OrdersRoom.open({ groups: [] });
  try {
    const problems = {
      contracts: paymentHttp(room.service).map(({ contract }) => contract),
      tokenOf: (scope: string) => `${scope}.ada`,
      call: async (
        method: string,
        path: string,
        asked: { listener: 'public' | 'internal'; token?: string; body?: unknown },
      ) => {
        const { listener, token, body } = asked;
        const response = await fetch((listener === 'internal' ? room.internalUrl : room.url) + path, {
          method,
          headers: {
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: String(body) }),
        });
        const text = await response.text();
        const isJson = response.headers.get('content-type')?.includes('json') === true;
        return { status: response.status, json: isJson ? (JSON.parse(text) as unknown) : text };
      },
    };
    expect(problems.contracts.length).toBeGreaterThan(40);
    await everyRefusalIsAProblem(problems);
    await everyFailureIsAProblem(problems, room.sql);
  } finally {
    await room.close();
  }
});
