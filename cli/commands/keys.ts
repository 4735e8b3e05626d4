import { type Command, InvalidArgumentError, Option } from 'commander';
import { type MeteredFamily, meteredFamilies } from '#schemas/http/metered-families.js';
import { baseUrl, wholeNumber } from '../options/arguments.js';
import type { NewKeyOptions, PlanOptions, RotateOptions, Shared, UsageOptions } from '../programs/keys.js';

export function addKeysCommand(program: Command): void {
  const keys = program
    .command('keys')
    .description('API keys of customers: plans, keys, usage; asks a platform that runs with API_KEYS')
    .addHelpText(
      'after',
      '\nA key is printed once, on stdout, when it is made; the platform has its hash only.' +
        '\n\nExample:\n  npx meridian keys plan basic --per-second 10 --burst 50 --per-month map=1000000' +
        '\n  npx meridian keys customer acme --name "Acme Ltd" --plan basic' +
        '\n  KEY=$(npx meridian keys create acme --families map,geocoding)',
    );
  shared(keys.command('plans').description('list the plans')).action(async (options: Shared) => {
    await (await programs()).listPlans(options);
  });
  shared(
    keys
      .command('plan')
      .argument('<plan>', 'its id', id)
      .description('add or change a plan; for its customers it takes effect within ten seconds')
      .requiredOption('--per-second <number>', 'requests per second, on average', rate)
      .requiredOption('--burst <number>', 'requests at once', wholeNumber)
      .option('--per-month <family=number,…>', 'quotas of a calendar month; others have none', quotas),
  ).action(async (plan: string, options: PlanOptions) => {
    await (await programs()).putPlan(plan, options);
  });
  shared(keys.command('customers').description('list the customers')).action(async (options: Shared) => {
    await (await programs()).listCustomers(options);
  });
  shared(
    keys
      .command('customer')
      .argument('<customer>', 'its id', id)
      .description('add a customer, or give it another name or plan')
      .requiredOption('--name <name>', 'for people')
      .requiredOption('--plan <plan>', 'the id of its plan', id),
  ).action(async (customer: string, options: Shared & { readonly name: string; readonly plan: string }) => {
    await (await programs()).putCustomer(customer, options);
  });
  shared(
    keys
      .command('create')
      .argument('<customer>', 'its id', id)
      .description('make a key and print it: it is shown never again')
      .requiredOption('--families <family,…>', `what it allows: ${meteredFamilies.join(', ')}`, families)
      .option('--label <text>', 'for people')
      .option('--expires <time>', 'refused from then on: YYYY-MM-DD (UTC) or RFC 3339', time),
  ).action(async (customer: string, options: NewKeyOptions) => {
    await (await programs()).createKey(customer, options);
  });
  shared(
    keys
      .command('list')
      .argument('<customer>', 'its id', id)
      .description('list the keys of a customer, newest first, without their secrets'),
  ).action(async (customer: string, options: Shared) => {
    await (await programs()).listKeys(customer, options);
  });
  shared(
    keys
      .command('rotate')
      .argument('<customer>', 'its id', id)
      .argument('<key>', 'id of the old key', keyId)
      .description('make a key like an old one, print it, and revoke the old one')
      .option('--keep-old', 'the old key stays valid until it is revoked')
      .option('--expires <time>', 'of the new key; default: as the old one', time),
  ).action(async (customer: string, key: string, options: RotateOptions) => {
    await (await programs()).rotateKey(customer, key, options);
  });
  shared(
    keys
      .command('revoke')
      .argument('<customer>', 'its id', id)
      .argument('<key>', 'id of the key', keyId)
      .description('refuse a key everywhere within ten seconds'),
  ).action(async (customer: string, key: string, options: Shared) => {
    await (await programs()).revokeKey(customer, key, options);
  });
  shared(
    keys
      .command('usage')
      .argument('[customer]', 'its id; default: all customers', id)
      .description('show how many requests were counted, by day and family')
      .option('--from <day>', 'YYYY-MM-DD (UTC); default: the first of this month', day)
      .option('--to <day>', 'the last day; default: today', day)
      .addOption(new Option('--csv', 'as CSV with a header line').conflicts('json')),
  ).action(async (customer: string | undefined, options: UsageOptions) => {
    await (await programs()).showUsage(customer, options);
  });
}

const programs = () => import('../programs/keys.js');

const shared = (command: Command): Command =>
  command
    .option('--url <url>', 'staff listener of the platform; default: INTERNAL_PORT of this machine', baseUrl)
    .option(
      '--token-file <file>',
      'file with a bearer token for operators; default: a token of the development issuer',
    )
    .option('--json', 'the result as JSON');

function id(text: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(text))
    throw new InvalidArgumentError('use up to 40 small letters, digits and hyphens.');
  return text;
}

/** The id alone, or with `mk_` as lists show it. A whole key has no place in the history of a shell. */
function keyId(text: string): string {
  const [, found] = /^(?:mk_)?([0-9a-f]{16})$/.exec(text) ?? [];
  if (found === undefined)
    throw new InvalidArgumentError('use the id of a key, 16 hexadecimal digits, never the whole key.');
  return found;
}

function rate(text: string): number {
  const number = Number(text);
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text) || number === 0)
    throw new InvalidArgumentError('use a number above 0.');
  return number;
}

function family(text: string): MeteredFamily {
  const known = meteredFamilies.find((each) => each === text);
  if (known === undefined)
    throw new InvalidArgumentError(`${text} is none of ${meteredFamilies.join(', ')}.`);
  return known;
}

function families(text: string): readonly MeteredFamily[] {
  const all = text.split(',').map(family);
  if (new Set(all).size < all.length) throw new InvalidArgumentError('name each family once.');
  return all;
}

function quotas(text: string): Readonly<Partial<Record<MeteredFamily, number>>> {
  const all = text.split(',').map((part) => {
    const [name = '', number = ''] = part.split('=');
    if (!/^\d{1,12}$/.test(number)) throw new InvalidArgumentError('use family=number, as map=1000000.');
    return [family(name), Number(number)] as const;
  });
  if (new Set(all.map(([name]) => name)).size < all.length)
    throw new InvalidArgumentError('name each family once.');
  return Object.fromEntries(all);
}

function day(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError('use a day, YYYY-MM-DD.');
  return text;
}

function time(text: string): string {
  const whole = isDay(text) ? `${text}T00:00:00Z` : text;
  const [, date = ''] =
    /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.exec(whole) ?? [];
  if (!isDay(date) || Number.isNaN(Date.parse(whole)))
    throw new InvalidArgumentError('use YYYY-MM-DD or a time as 2027-12-31T00:00:00Z.');
  return whole;
}

/** `Date` takes 30 February for 1 March. */
function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
