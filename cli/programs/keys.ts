import type { Config } from '#platform/config/settings.js';
import type { KeyView } from '#schemas/http/api-keys.js';
import type { MeteredFamily } from '#schemas/http/metered-families.js';
import { CommandFailed, exitCode } from '../exit.js';
import { KeyClient, type MadeKey, type UsageRange } from '../key-client.js';
import { operatorToken } from '../operator-token.js';
import { addressBySettings } from '../own-address.js';
import { refusePlainAddress } from '../plain-connections.js';
import { readSettings } from '../read-settings.js';
import { runningPrograms } from '../running-programs.js';
import { textTable } from '../text-table.js';

export interface Shared {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly json?: true;
}
export interface PlanOptions extends Shared {
  readonly perSecond: number;
  readonly burst: number;
  readonly perMonth?: Readonly<Partial<Record<MeteredFamily, number>>>;
}
export interface NewKeyOptions extends Shared {
  readonly families: readonly MeteredFamily[];
  readonly label?: string;
  readonly expires?: string;
}
export interface RotateOptions extends Shared {
  readonly keepOld?: true;
  readonly expires?: string;
}
export interface UsageOptions extends Shared, UsageRange {
  readonly csv?: true;
}

export async function listPlans(options: Shared): Promise<void> {
  const plans = await (await open(options)).plans();
  const rows = plans.map(({ planID, perSecond, burst, perMonth }) => {
    const quotas = Object.entries(perMonth).map(([family, quota]) => `${family}=${quota}`);
    return [planID, perSecond, burst, quotas.join(',')];
  });
  print(options, plans, () => textTable(['PLAN', 'PER SECOND', 'BURST', 'PER MONTH'], rows));
}

export async function putPlan(plan: string, options: PlanOptions): Promise<void> {
  const { perSecond, burst, perMonth = {} } = options;
  const put = await (await open(options)).putPlan(plan, { perSecond, burst, perMonth });
  print(options, put, () => `Plan ${plan} is stored.`);
}

export async function listCustomers(options: Shared): Promise<void> {
  const customers = await (await open(options)).customers();
  const rows = customers.map(({ customerID, name, planID, createdAt }) => [
    customerID,
    name,
    planID,
    createdAt,
  ]);
  print(options, customers, () => textTable(['CUSTOMER', 'NAME', 'PLAN', 'SINCE'], rows));
}

export async function putCustomer(
  customer: string,
  options: Shared & { readonly name: string; readonly plan: string },
): Promise<void> {
  const { name, plan: planID } = options;
  const put = await (await open(options)).putCustomer(customer, { name, planID });
  print(options, put, () => `Customer ${customer} has the plan ${planID}.`);
}

export async function createKey(customer: string, options: NewKeyOptions): Promise<void> {
  const { families, label, expires } = options;
  const client = await open(options);
  const made = await client.makeKey(customer, {
    families: [...families],
    ...(label === undefined ? {} : { label }),
    ...(expires === undefined ? {} : { expiresAt: expires }),
  });
  printSecret(options, made);
}

export async function listKeys(customer: string, options: Shared): Promise<void> {
  const keys = await (await open(options)).keys(customer);
  const rows = keys.map((key) => [
    ...[key.prefix, stateOf(key), key.families.join(','), key.label, key.expiresAt, key.lastUsedAt],
  ]);
  print(options, keys, () => textTable(['KEY', 'STATE', 'FAMILIES', 'LABEL', 'EXPIRES', 'LAST USED'], rows));
}

const isOver = ({ expiresAt }: KeyView): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
const stateOf = (key: KeyView): string =>
  key.revokedAt === undefined ? (isOver(key) ? 'expired' : 'valid') : 'revoked';

/** The new key is printed before the old one is revoked: whatever fails, the caller has a valid key. */
export async function rotateKey(customer: string, keyID: string, options: RotateOptions): Promise<void> {
  const client = await open(options);
  const old = (await client.keys(customer)).find((key) => key.keyID === keyID);
  if (old === undefined)
    throw new CommandFailed(`Customer ${customer} has no key mk_${keyID}.`, exitCode.notFound);
  if (old.revokedAt !== undefined)
    throw new CommandFailed(`Key mk_${keyID} was revoked at ${old.revokedAt}; create a new one.`);
  if (isOver(old) && options.expires === undefined)
    throw new CommandFailed(
      `Key mk_${keyID} expired at ${old.expiresAt}; say with --expires until when the new one is valid.`,
      exitCode.usage,
    );
  const expiresAt = options.expires ?? old.expiresAt;
  const made = await client.makeKey(customer, {
    families: old.families,
    ...(old.label === undefined ? {} : { label: old.label }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
  printSecret(options, made);
  if (options.keepOld === true) return;
  try {
    await client.revokeKey(customer, keyID);
  } catch (error) {
    throw new CommandFailed(
      `The new key is valid, but the old one was not revoked: ${(error as Error).message} ` +
        `Run npx meridian keys revoke ${customer} ${keyID}.`,
    );
  }
  console.error(`Key mk_${keyID} is revoked; it is refused everywhere within ten seconds.`);
}

export async function revokeKey(customer: string, keyID: string, options: Shared): Promise<void> {
  await (await open(options)).revokeKey(customer, keyID);
  const revoked = { customerID: customer, keyID, revoked: true };
  print(options, revoked, () => `Key mk_${keyID} is revoked; it is refused everywhere within ten seconds.`);
}

export async function showUsage(customer: string | undefined, options: UsageOptions): Promise<void> {
  const client = await open(options);
  const { from, to, csv } = options;
  if (customer === undefined) {
    const text = await client.usageExport({ from, to });
    if (csv === true) process.stdout.write(text);
    else {
      const rows = usageRows(text);
      print(options, rows, () => dayTable(rows));
    }
    return;
  }
  const usage = await client.usage(customer, { from, to });
  const rows = usage.days.map((day) => ({ customerID: customer, ...day }));
  if (csv === true) {
    const lines = rows.map(({ day, family, requests }) => [customer, day, family, requests].join(','));
    process.stdout.write(`${[csvHead, ...lines].join('\r\n')}\r\n`);
    return;
  }
  const month = usage.thisMonth.map(({ family, requests, quota }) => [family, requests, quota]);
  print(
    options,
    usage,
    () => `${textTable(['THIS MONTH', 'REQUESTS', 'QUOTA'], month)}\n\n${dayTable(rows)}`,
  );
}

const csvHead = 'customer,day,family,requests';

interface UsageRow {
  readonly customerID: string;
  readonly day: string;
  readonly family: string;
  readonly requests: number;
}

function usageRows(csv: string): readonly UsageRow[] {
  const [head, ...lines] = csv.trimEnd().split('\r\n');
  if (head !== csvHead) throw new CommandFailed(`The platform exports other columns than ${csvHead}.`);
  return lines.map((line) => {
    const [customerID = '', day = '', family = '', requests = ''] = line.split(',');
    return { customerID, day, family, requests: Number(requests) };
  });
}

const dayTable = (rows: readonly UsageRow[]): string =>
  textTable(
    ['DAY', 'CUSTOMER', 'FAMILY', 'REQUESTS'],
    rows.map(({ day, customerID, family, requests }) => [day, customerID, family, requests]),
  );

function print({ json }: Shared, value: unknown, text: () => string): void {
  console.log(json === true ? JSON.stringify(value, undefined, 2) : text());
}

/** Only the key is on stdout, so that a script may keep it in a variable. */
function printSecret({ json }: Shared, made: MadeKey): void {
  console.log(json === true ? JSON.stringify(made, undefined, 2) : made.secret);
  console.error(`Key ${made.key.prefix} is made. Store it now: it is shown never again.`);
}

async function open({ url, tokenFile }: Shared): Promise<KeyClient> {
  const config = readSettings();
  if (url !== undefined) refusePlainAddress('--url', url);
  return new KeyClient({
    url: url ?? (await staffListener(config)),
    token: await operatorToken(config, tokenFile, 'keys'),
  });
}

/** Of this machine: at INTERNAL_PORT, or, where that is any free one, of a program on the data folder. */
async function staffListener(config: Config): Promise<string> {
  if (config.INTERNAL_PORT !== 0) return addressBySettings(config, 'internal');
  const [first] = await runningPrograms(config.MERIDIAN_DATA);
  if (first !== undefined) return first.internalUrl;
  throw new CommandFailed(
    'INTERNAL_PORT is 0 and no program runs on MERIDIAN_DATA; use --url.',
    exitCode.usage,
  );
}
