import { afterAll, beforeAll, expect, test } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { opera, type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
/** What stands for each placeholder of a path or body: things that exist. */
const existing = { hotel: '', room: '', stay: '', reservation: 'endpoints-1' };

beforeAll(async () => {
  served = await serveHotels();
  const operator = { token: served.tokens['olle']! };
  existing.hotel = (await served.call('POST', '/v1/hotels', { ...operator, body: opera })).json.hotelID;
  const room = { roomTypeID: 'double', number: '1' };
  const rooms = `/v1/hotels/${existing.hotel}/rooms`;
  existing.room = (await served.call('POST', rooms, { ...operator, body: room })).json.roomID;
  existing.stay = await served.database.hotel();
  const made = await served.call('POST', '/v1/reservations', {
    token: served.tokens['anna']!,
    body: filled(form('{reservation}')),
  });
  expect(made.status).toBe(201);
});
afterAll(() => served?.close());

const form = (reservationID: string) => ({
  startDate: '2027-07-01',
  endDate: '2027-07-03',
  hotelID: '{stay}',
  roomTypeID: 'double',
  roomCount: '1',
  reservationID,
});

type Names = Readonly<Record<keyof typeof existing, string>>;
const filled = (text: string | object, names: Names = existing): string =>
  (typeof text === 'string' ? text : JSON.stringify(text)).replace(
    /\{(hotel|room|stay|reservation)\}/g,
    (_, name: keyof Names) => names[name],
  );

/** Every row of the tables that the operations write, with the transaction that wrote it. */
async function stored(): Promise<readonly unknown[]> {
  const tables = ['hotel', 'room_type', 'room', 'room_type_inventory', 'reservation'];
  const marks = "count(*) AS n, md5(string_agg(t::text || xmin::text, ',' ORDER BY t::text)) AS md5";
  return Promise.all(
    tables.map(async (table) => {
      const { rows } = await served.database.sql.query(`SELECT ${marks} FROM ${table} t`);
      return rows[0];
    }),
  );
}

const roles = { customer: 'anna', operator: 'olle', desk: 'siv', driver: 'driver' } as const;

proves('H-030', {
  asked: 'wrong method 405, unknown id 404, malformed id 400†',
  shown: 'wrong methods 405, unknown ids 404, malformed ones 404 by decision (ADR 0041); every role reads',
  control: {
    in: 'hotel/http/hotel-routes.ts',
    change: '          ? noHotel()\n          : cached(',
    to: '          ? problem(problems.invalid)\n          : cached(',
  },
});
proves('H-031', {
  asked: 'wrong method 405, no token 401, wrong role 403',
  shown: 'all of them over HTTP, and nothing changes; the path has no id',
  control: {
    in: 'schemas/http/hotels.ts',
    change: "'Add a hotel',\n  description: creatable,\n  scopes: ['operator'],",
    to: "'Add a hotel',\n  description: creatable,\n  scopes: ['operator', 'desk'],",
  },
});
proves('H-032', {
  asked: 'wrong method 405, unknown id 404, malformed id 400†, no token 401, wrong role 403',
  shown: 'all of them over HTTP, nothing changes; a malformed id is 404 by decision (ADR 0041)',
  control: {
    in: 'schemas/http/hotels.ts',
    change: "'Update a hotel',\n  description: changeable,\n  scopes: ['operator'],",
    to: "'Update a hotel',\n  description: changeable,\n  scopes: ['operator', 'desk'],",
  },
});
proves('H-033', {
  asked: 'wrong method 405, unknown id 404, malformed id 400†, no token 401, wrong role 403',
  shown: 'all of them over HTTP, nothing changes; a malformed id is 404 by decision (ADR 0041)',
  control: {
    in: 'schemas/http/hotels.ts',
    change: "without current or future reservations',\n  scopes: ['operator'],",
    to: "without current or future reservations',\n  scopes: ['operator', 'desk'],",
  },
});
proves('H-034', {
  asked: 'wrong method 405, unknown id 404, malformed id 400†',
  shown: 'wrong methods 405, unknown ids 404, malformed ones 404 by decision (ADR 0041); every role reads',
  control: {
    in: 'hotel/http/hotel-routes.ts',
    change: 'room === undefined ? noRoom()',
    to: 'room === undefined ? problem(problems.invalid)',
  },
});
proves('H-035', {
  asked: 'wrong method 405, unknown id 404, malformed id 400†, no token 401, wrong role 403',
  shown: 'all of them over HTTP, nothing changes; a malformed id is 404 by decision (ADR 0041)',
  control: {
    in: 'schemas/http/hotels.ts',
    change: "from today',\n  description: creatable,\n  scopes: ['operator'],",
    to: "from today',\n  description: creatable,\n  scopes: ['operator', 'desk'],",
  },
});
proves('H-036', {
  asked: 'wrong method 405, unknown id 404, malformed id 400†, no token 401, wrong role 403',
  shown: 'all of them over HTTP, nothing changes; a malformed id is 404 by decision (ADR 0041)',
  control: {
    in: 'schemas/http/hotels.ts',
    change: "'inventory.',\n  scopes: ['operator'],",
    to: "'inventory.',\n  scopes: ['operator', 'desk'],",
  },
});
proves('H-037', {
  asked: 'wrong method 405, unknown id 404, malformed id 400†, no token 401, wrong role 403',
  shown: 'all of them over HTTP, nothing changes; a malformed id is 404 by decision (ADR 0041)',
  control: {
    in: 'schemas/http/hotels.ts',
    change: "reservations stay',\n  scopes: ['operator'],",
    to: "reservations stay',\n  scopes: ['operator', 'desk'],",
  },
});
proves('H-038', {
  asked: 'wrong method 405, no token 401, wrong role 403',
  shown: 'all of them over HTTP, and nothing changes; the path has no id',
  control: {
    in: 'schemas/http/hotel-reservations.ts',
    change: "newest first',\n  scopes: ['customer'],",
    to: "newest first',\n  scopes: ['customer', 'desk'],",
  },
});
proves('H-039', {
  asked: 'wrong method 405, unknown id 404, malformed id 400†, no token 401, wrong role 403',
  shown: 'all of them over HTTP, nothing changes; a malformed id is 404 by decision (ADR 0041)',
  control: {
    in: 'schemas/http/hotel-reservations.ts',
    change: "'One of your reservations',\n  scopes: ['customer'],",
    to: "'One of your reservations',\n  scopes: ['customer', 'desk'],",
  },
});
proves('H-040', {
  asked: 'wrong method 405, no token 401, wrong role 403',
  shown: 'all of them over HTTP, and nothing changes; the path has no id',
  control: {
    in: 'schemas/http/hotel-reservations.ts',
    change: "gets the outcome later.',\n  scopes: ['customer'],",
    to: "gets the outcome later.',\n  scopes: ['customer', 'desk'],",
  },
});
proves('H-041', {
  asked: 'wrong method 405, unknown id 404, malformed id 400†, no token 401, wrong role 403',
  shown: 'all of them over HTTP, nothing changes; a malformed id is 404 by decision (ADR 0041)',
  control: {
    in: 'schemas/http/hotel-reservations.ts',
    change: "of the price is charged.',\n  scopes: ['customer'],",
    to: "of the price is charged.',\n  scopes: ['customer', 'desk'],",
  },
});
test.each<[string, string, string, 'open' | 'customer' | 'operator', number, object?]>([
  ['H-030', 'GET', '/v1/hotels/{hotel}', 'open', 200],
  ['H-031', 'POST', '/v1/hotels', 'operator', 201, opera],
  ['H-032', 'PUT', '/v1/hotels/{hotel}', 'operator', 200, { ...opera, name: 'Other' }],
  ['H-034', 'GET', '/v1/hotels/{hotel}/rooms/{room}', 'open', 200],
  ['H-035', 'POST', '/v1/hotels/{hotel}/rooms', 'operator', 201, { roomTypeID: 'double', number: '2' }],
  ['H-036', 'PUT', '/v1/hotels/{hotel}/rooms/{room}', 'operator', 200, { roomTypeID: 'single', number: '3' }],
  ['H-037', 'DELETE', '/v1/hotels/{hotel}/rooms/{room}', 'operator', 204],
  ['H-033', 'DELETE', '/v1/hotels/{hotel}', 'operator', 204],
  ['H-038', 'GET', '/v1/reservations', 'customer', 200],
  ['H-039', 'GET', '/v1/reservations/{reservation}', 'customer', 200],
  ['H-040', 'POST', '/v1/reservations', 'customer', 201, form('endpoints-2')],
  ['H-041', 'DELETE', '/v1/reservations/{reservation}', 'customer', 200],
])(
  '%s: %s %s refuses other methods, ids, tokens and roles',
  async (_, method, path, role, success, given) => {
    const body = given === undefined ? undefined : filled(given);
    const token = served.tokens[role === 'open' ? 'anna' : roles[role]]!;
    const at = filled(path);
    const before = await stored();

    const anonymous = await served.call(method, at, { body });
    expect(anonymous.status).toBe(role === 'open' ? success : 401);
    for (const [other, person] of Object.entries(roles)) {
      if (other === role) continue;
      const { status } = await served.call(method, at, { token: served.tokens[person]!, body });
      expect([other, status]).toEqual([other, role === 'open' ? success : 403]);
    }

    const template = path.replace('{room}', '{roomId}').replace(/\{(hotel|reservation)\}/, '{id}');
    const methods = served.routes.map(({ contract }) => contract).filter((one) => one.path === template);
    expect(methods.map((one) => one.method)).toContain(method);
    for (const wrong of ['PATCH', 'GET', 'POST', 'PUT', 'DELETE']) {
      if (methods.some((one) => one.method === wrong)) continue;
      const { status, headers } = await served.call(wrong, at, { token });
      expect([wrong, status]).toEqual([wrong, 405]);
      expect(headers.get('allow')?.split(', ')).toContain(method);
    }

    for (const [, name] of path.matchAll(/\{(\w+)\}/g))
      for (const wrong of ['nowhere', 'x'.repeat(65), 'a%00b', '%zz', '%ED%A0%80']) {
        const elsewhere = filled(path, { ...existing, [name!]: wrong });
        expect([wrong, (await served.call(method, elsewhere, { token, body })).status]).toEqual([wrong, 404]);
      }

    expect(await stored()).toEqual(before);
    expect((await served.call(method, at, { token, body })).status).toBe(success);
  },
);
