import type { Sql } from '#platform/sql/sql.js';
import type { RouteContract, Scope } from '#schemas/http/route-contract.js';

/** A card number, written so that this source does not contain it. */
export const canary = '4242\u00a04242\u200b4242.4242';
/** The form in which it would appear in a table, a topic or a log. */
export const canaryTraces = [canary, '4242424242424242', encodeURIComponent(canary)];
/** A verification code. */
export const canaryCode = '8417';
/** As it is sent and would be repeated; alone, four digits are in many random ids. */
export const writtenCode = `cvv.${canaryCode}`;

export interface Probe {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly scope: Scope;
  readonly internal: boolean;
  readonly body: unknown;
  /** One that the operation takes. */
  readonly contentType: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Requests for an operation, each with the card number or a verification code in one of its fields. */
export function probesOf({ method, path, params, query, body, scopes, listener }: RouteContract): Probe[] {
  const fill = (text: string) => path.replaceAll(/\{\w+\}/g, encodeURIComponent(text));
  const shared = {
    method,
    scope: typeof scopes === 'string' ? ('customer' as const) : scopes.at(-1)!,
    internal: listener === 'internal',
    contentType: body?.contentTypes[0],
    headers: {},
  };
  const given = body === undefined ? undefined : { any: ['thing'] };
  const probes: Probe[] = [];
  for (const [what, text] of [
    ['number', canary],
    ['code', writtenCode],
  ] as const) {
    if (params !== undefined)
      probes.push({ ...shared, what: `a ${what} in the path`, path: fill(text), body: given });
    if (query !== undefined)
      probes.push({
        ...shared,
        what: `a ${what} in the query`,
        path: `${fill('1')}?${Object.keys(query.properties)[0]}=${encodeURIComponent(text)}`,
        body: given,
      });
    if (body?.contentTypes.includes('application/json'))
      probes.push(
        { ...shared, what: `a ${what} in the body`, path: fill('1'), body: { deep: [{ inside: text }] } },
        { ...shared, what: `a ${what} as a name in the body`, path: fill('1'), body: { [text]: 1 } },
      );
    if (method !== 'GET')
      probes.push({
        ...shared,
        what: `a ${what} as the idempotency key`,
        path: fill('1'),
        body: given,
        headers: { 'idempotency-key': what === 'number' ? '4242.4242-4242_4242' : text },
      });
  }
  if (body?.contentTypes.includes('application/json'))
    probes.push({
      ...shared,
      what: 'a field for the code',
      path: fill('1'),
      body: { card: { cvv: canaryCode } },
    });
  return probes;
}

/** Tables in which any column contains the card number, with any characters between its digits. */
export async function tablesWithCanary(sql: Sql): Promise<string[]> {
  const { rows } = await sql.query<{ readonly name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  if (rows.length < 5) throw new Error('The tables were not found.');
  const found: string[] = [];
  for (const { name } of rows) {
    const hits = await sql.query(`SELECT FROM ${name} t WHERE t::text ~ '4242.{0,3}4242.{0,3}4242' LIMIT 1`);
    if (hits.rowCount !== 0) found.push(name);
  }
  return found;
}
