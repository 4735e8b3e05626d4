import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import { hotelContracts } from '#schemas/http/hotel-contracts.js';
import { proves } from '#tools/acceptance/proves.js';
import { meridian, type RunningProgram, startProgram } from '../main-job/running-platform.js';

let data: string;
let program: RunningProgram;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'meridian-hotel-program-'));
});
afterAll(async () => {
  await program?.stop();
  await rm(data, { recursive: true, force: true });
});

/** The test requests more often than people do. */
const env = { BOOKINGS_PER_USER: '1000' };
const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Malta' }).format(new Date());

/** TCP ports on which a process listens, as Linux knows them. */
async function listening(pid: number): Promise<readonly number[]> {
  const fds = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  const sockets = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  const tables = ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => ''));
  return (await Promise.all(tables))
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((words) => words[3] === '0A' && sockets.has(words[9]))
    .map((words) => Number.parseInt(words[1]!.split(':')[1]!, 16));
}

proves('H-003', {
  asked: 'every booking route is HTTP',
  shown: 'two ports and no other, both HTTP; a job books for the waitlist what was asked over HTTP',
  settings: ['the ports of the program are looked at on Linux alone', 'BOOKINGS_PER_USER 1,000'],
});
proves('H-013', {
  asked: 'another address or port; from the public listener every internal path answers 404 as if absent',
  shown: 'two ports of one program; every internal operation in public: the 404 of a path nobody knows',
  settings: ['BOOKINGS_PER_USER 1,000'],
});
proves('H-112', {
  asked: 'the management service refuses public tokens even if reached',
  shown: 'every internal operation of the program by its own audiences: token of a guest 401, of staff not',
  settings: ['BOOKINGS_PER_USER 1,000'],
  control: {
    in: 'cli/start/serve.ts',
    change: 'config.TOKEN_AUDIENCE : config.INTERNAL_TOKEN_AUDIENCE',
    to: 'config.TOKEN_AUDIENCE : config.TOKEN_AUDIENCE',
  },
});
proves('H-063', {
  asked: 'the daily job: the newest date is D+730',
  shown: 'loaded with 60 days, the program fills more by itself: D+730 has rooms, D+731 cannot be booked',
  settings: ['BOOKINGS_PER_USER 1,000'],
  control: {
    in: 'cli/start/hotel-jobs.ts',
    change: 'fillInventory(sql, { signal',
    to: 'fillInventory(sql, { daysAhead: 729, signal',
  },
});
test('H-003, H-013, H-063, H-112: meridian hotel: loaded, served, killed, started again', async () => {
  const size = ['--hotels', '2', '--room-types', '2', '--rooms', '4', '--days', '60', '--json'];
  const loaded = await meridian(['hotel', 'load', ...size], { MERIDIAN_DATA: data });
  expect(JSON.parse(loaded.stdout), loaded.stderr).toMatchObject({ hotels: 2, rooms: 8, inventory: 240 });

  program = await startProgram('hotel', { data, args: ['serve'], env });
  const token = await program.token('anna', 'customer');
  const operator = await program.token('olle', 'operator');
  const call = async (method: string, path: string, body?: object, bearer = token) => {
    const answer = await fetch(program.url + path, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, json: /^[{[]/.test(text) ? JSON.parse(text) : text };
  };
  const stay = { startDate: addDays(today, 10), endDate: addDays(today, 11) };
  const form = { ...stay, hotelID: 'h00001', roomTypeID: 't01', roomCount: '2', reservationID: 'program-1' };
  const free = async () => {
    const query = new URLSearchParams(stay).toString();
    const { json } = await call('GET', `/v1/hotels/h00001/room-types/t01/availability?${query}`);
    return [json.source, ...json.nights.map(({ rooms }: { rooms: number }) => rooms)];
  };

  await expect.poll(free, { interval: 250 }).toEqual(['cache', 2, 2]);
  expect((await call('POST', '/v1/reservations', form)).status).toBe(201);
  await expect.poll(free, { interval: 250 }).toEqual(['cache', 0, 0]);
  expect((await call('POST', '/v1/reservations', { ...form, reservationID: 'program-2' })).status).toBe(409);
  const room = { roomTypeID: 't01', number: '999' };
  expect((await call('POST', '/v1/hotels/h00001/rooms', room, operator)).status).toBe(201);
  // 110 % of three rooms are three.
  await expect.poll(free, { interval: 250 }).toEqual(['cache', 1, 1]);

  // The daily job, which the program runs at its start, has filled two years ahead.
  const late = {
    ...form,
    startDate: addDays(today, 729),
    endDate: addDays(today, 730),
    reservationID: 'late',
  };
  await expect
    .poll(async () => (await call('POST', '/v1/reservations', late)).json.code, { interval: 250 })
    .toBe('no-rate');
  const later = { ...late, startDate: addDays(today, 730), endDate: addDays(today, 731) };
  const beyond = await call('POST', '/v1/reservations', { ...later, reservationID: 'later' });
  expect([beyond.status, beyond.json.code, beyond.json.dates]).toEqual([
    ...[409, 'not-bookable'],
    [addDays(today, 731)],
  ]);

  // To the public the management service does not exist.
  const [open, inside] = [new URL(program.url), new URL(program.internalUrl)];
  if (existsSync('/proc/self/net/tcp'))
    expect(new Set(await listening(program.pid))).toEqual(new Set([Number(open.port), Number(inside.port)]));
  expect(open.port).not.toBe(inside.port);
  for (const url of [open, inside]) expect((await fetch(new URL('/healthz', url))).status).toBe(200);
  const internal = hotelContracts.filter(({ listener }) => listener === 'internal');
  expect(internal.length).toBeGreaterThan(20);
  const staff = await program.token('siv', 'desk');
  const absent = (await call('GET', '/v1/nothing', undefined, staff)).json;
  for (const { method, path } of internal) {
    const at = path.replaceAll(/\{\w+\}/g, 'h00001');
    const { status, json } = await call(method, at, method === 'GET' ? undefined : {}, staff);
    const { instance, trace_id } = json;
    expect([method, path, status, json]).toEqual([method, path, 404, { ...absent, instance, trace_id }]);
  }
  expect((await fetch(new URL('/v1/staff/actions', inside))).status).toBe(401);
  // The management service judges the audience first, so a public token fails whatever its scopes are.
  for (const { method, path } of internal) {
    const asked = (bearer: string) =>
      fetch(new URL(path.replaceAll(/\{\w+\}/g, 'h00001'), inside), {
        method,
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }),
      });
    expect([method, path, (await asked(token)).status]).toEqual([method, path, 401]);
    expect([method, path, (await asked(staff)).status]).not.toEqual([method, path, 401]);
  }

  // H-150: the documents and pages describe what is served.
  expect((await call('GET', '/problems/insufficient-inventory')).json).toContain(
    '<code>insufficient-inventory</code>',
  );
  const described: string[] = [];
  for (const url of [program.url, program.internalUrl]) {
    const openApi = (await (await fetch(`${url}/v1/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    expect(await new Validator().validate({ ...openApi })).toMatchObject({ valid: true });
    for (const methods of Object.values(openApi.paths))
      described.push(...Object.values(methods).map(({ operationId }) => operationId));
  }
  expect(described).toEqual(expect.arrayContaining(hotelContracts.map(({ operationId }) => operationId)));

  const ports = [Number(new URL(program.url).port), Number(new URL(program.internalUrl).port)] as const;
  await program.stop('SIGKILL');
  program = await startProgram('hotel', { data, args: ['serve'], env, ports });
  const again = await call('POST', '/v1/reservations', form);
  expect([again.status, again.json.reservationID]).toEqual([200, 'program-1']);
  // The cache in the process was lost with it, and is rebuilt from the log only.
  await expect.poll(free, { interval: 250 }).toEqual(['cache', 1, 1]);
  expect(await program.stop()).toBe(0);

  const proof = await meridian(['hotel', 'prove'], { MERIDIAN_DATA: data });
  expect([proof.code, JSON.parse(proof.stdout)]).toEqual([
    0,
    expect.objectContaining({ miscounted: [], misfilled: [], lost: [] }),
  ]);
});
