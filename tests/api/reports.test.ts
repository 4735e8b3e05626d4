import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postReport } from '#schemas/http/reports.js';
import type { ClosureReported } from '#schemas/messages.js';
import { paperTown } from './paper-town.js';
import { type Ground, openGround, type ServedApi, serveApi } from './served-api.js';

let ground: Ground;
let served: ServedApi;
let nowMs = 1_795_000_000_000;
const town = paperTown();

beforeAll(async () => {
  ground = await openGround();
  served = await serveApi(ground, town, { nowMs: () => nowMs, pseudonym: (userId) => userId.length });
});
afterAll(async () => {
  await served.close();
  await ground.close();
});

const recorded = async (): Promise<{ key: string; report: ClosureReported }[]> => {
  const { trafficClosureReported: codec } = ground.codecs;
  const found: { key: string; report: ClosureReported }[] = [];
  for (let partition = 0; partition < codec.topic.partitions; partition++)
    for await (const { key, value } of ground.log.read(codec.topic.name, partition, 0))
      found.push({ key: String(key), report: codec.decode(value!) });
  return found;
};
const post = async (user: string, body: unknown) =>
  served.call('POST', '/v1/reports', { token: await ground.token(user, 'driver'), body });

describe('POST /v1/reports', () => {
  test('M-064: logs a user report for both directions, with an expiry, without the user name', async () => {
    const at = { lat: 57.7, lng: 11.9605 };
    const { status, json } = await post('ursula', { kind: 'closed', at, lasts_s: 600 });
    expect(status).toBe(202);
    expect([...Value.Errors(postReport.responses[202].schema, json)]).toEqual([]);
    expect(json).toMatchObject({ kind: 'closed', road: 'A street' });
    const records = await recorded();
    expect(records.map(({ report }) => report.edgeId).sort()).toEqual([...json.edge_ids].sort());
    expect(records).toHaveLength(2);
    for (const { key, report } of records) {
      expect(key).toBe(String(report.cell));
      expect(report).toMatchObject({
        closed: true,
        reporter: 6,
        reportedMs: nowMs,
        expiresMs: nowMs + 600_000,
      });
    }
    expect(JSON.stringify(records)).not.toContain('ursula');
    const [edge_id] = json.edge_ids;
    const open = await post('ursula', { kind: 'open', edge_id, both_directions: false });
    expect(open.json).toMatchObject({ kind: 'open', edge_ids: [edge_id] });
    expect((await recorded()).filter(({ report }) => !report.closed)).toHaveLength(1);
  });

  test('F12: rejects reports of no road or two roads, without permission, or too often', async () => {
    expect((await post('u', { kind: 'closed' })).status).toBe(400);
    expect(
      (await post('u', { kind: 'closed', edge_id: '1:0-1+', at: { lat: 57.7, lng: 11.96 } })).status,
    ).toBe(400);
    expect((await post('u', { kind: 'closed', at: { lat: 10, lng: 10 } })).status).toBe(404);
    expect((await post('u', { kind: 'closed', edge_id: '9999:1-2+' })).status).toBe(404);
    expect((await post('u', { kind: 'jam', edge_id: '1:0-1+' })).status).toBe(400);
    expect((await post('u', { kind: 'closed', edge_id: '1:0-1+', lasts_s: 1e6 })).status).toBe(400);
    expect((await served.call('POST', '/v1/reports', { body: {} })).status).toBe(401);
    const body = { kind: 'closed', edge_id: '1:0-1+' };
    const before = (await recorded()).length;
    const answers = [];
    for (let i = 0; i < 14; i++) answers.push(await post('loud', body));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(12).fill(202), 429, 429]);
    expect(answers.at(-1)!.headers.get('retry-after')).toBe('3600');
    expect((await recorded()).length).toBe(before + 24);
    expect((await post('other', body)).status).toBe(202);
    nowMs += 3_600_000;
    expect((await post('loud', body)).status).toBe(202);
  });
});
