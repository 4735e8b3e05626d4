import * as contracts from '#schemas/http/api-keys.js';
import type { MeteredFamily } from '#schemas/http/metered-families.js';
import { CommandFailed, exitCode } from './exit.js';
import { OperatorClient, type OperatorClientOptions } from './operator-client.js';

export interface Plan extends contracts.NewPlan {
  readonly planID: string;
}
export interface Customer {
  readonly customerID: string;
  readonly name: string;
  readonly planID: string;
  readonly createdAt: string;
}
export interface MadeKey {
  readonly key: contracts.KeyView;
  /** The whole key. No later answer has it. */
  readonly secret: string;
}
export interface Usage {
  readonly customerID: string;
  readonly planID: string;
  readonly from: string;
  readonly to: string;
  readonly thisMonth: readonly {
    readonly family: MeteredFamily;
    readonly requests: number;
    readonly quota?: number;
  }[];
  readonly days: readonly {
    readonly day: string;
    readonly family: MeteredFamily;
    readonly requests: number;
  }[];
}
export interface UsageRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const pageSize = 1_000;

/** The operators' side of API keys on the staff listener of a running platform. */
export class KeyClient {
  readonly #client: OperatorClient;
  readonly #url: string;

  constructor(options: Omit<OperatorClientOptions, 'codes'>) {
    this.#url = options.url;
    const codes = { 400: exitCode.usage, 404: exitCode.notFound };
    this.#client = new OperatorClient({ ...options, codes });
  }

  async plans(): Promise<readonly Plan[]> {
    return (await this.#json<{ plans: Plan[] }>('GET', contracts.listPlans.path)).plans;
  }

  putPlan(plan: string, terms: contracts.NewPlan): Promise<Plan> {
    return this.#json('PUT', at(contracts.putPlan.path, { plan }), terms);
  }

  async customers(): Promise<readonly Customer[]> {
    const all: Customer[] = [];
    for (;;) {
      const after = all.at(-1)?.customerID;
      const query = queryOf({ after, limit: String(pageSize) });
      const path = contracts.listCustomers.path + query;
      const { customers } = await this.#json<{ customers: Customer[] }>('GET', path);
      all.push(...customers);
      if (customers.length < pageSize) return all;
    }
  }

  putCustomer(
    customer: string,
    terms: { readonly name: string; readonly planID: string },
  ): Promise<Customer> {
    return this.#json('PUT', at(contracts.putCustomer.path, { customer }), terms);
  }

  makeKey(customer: string, key: contracts.NewKey): Promise<MadeKey> {
    return this.#json('POST', at(contracts.postKey.path, { customer }), key);
  }

  async keys(customer: string): Promise<readonly contracts.KeyView[]> {
    const path = at(contracts.listKeys.path, { customer });
    return (await this.#json<{ keys: contracts.KeyView[] }>('GET', path)).keys;
  }

  async revokeKey(customer: string, key: string): Promise<void> {
    await this.#text('DELETE', at(contracts.deleteKey.path, { customer, key }));
  }

  usage(customer: string, range: UsageRange): Promise<Usage> {
    return this.#json('GET', at(contracts.getCustomerUsage.path, { customer }) + queryOf({ ...range }));
  }

  /** Of all customers: lines of `customer,day,family,requests` behind a header line. */
  usageExport(range: UsageRange): Promise<string> {
    return this.#text('GET', contracts.getCustomersExport.path + queryOf({ ...range }));
  }

  async #json<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    return JSON.parse(await this.#text(method, path, body)) as Answer;
  }

  async #text(method: string, path: string, body?: object): Promise<string> {
    const answer = await this.#client.ask(method, path, body);
    if (answer.ok && answer.headers.get('x-request-id') !== null) return answer.text();
    const text = await answer.clone().text();
    if (answer.ok || (answer.status === 404 && text.includes('"No such path."')))
      throw new CommandFailed(
        `${this.#url} manages no API keys. Name the staff listener of a program that runs with ` +
          'API_KEYS=optional or API_KEYS=required.',
      );
    throw await this.#client.refused(method, path, answer);
  }
}

/** Ids hold nothing that a path would have to escape. */
const at = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name]!);

function queryOf(given: Readonly<Record<string, string | undefined>>): string {
  const known = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return known.length === 0 ? '' : `?${new URLSearchParams(known).toString()}`;
}
