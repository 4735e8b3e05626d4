import type { UsageOverview } from '#schemas/http/api-keys.js';
import { dayText } from '../hotel/texts.js';
import { ask } from '../http/ask.js';
import { withToken } from '../http/session.js';
import { Bars, Fill } from './bars.js';
import { age, count, share } from './figures.js';
import { messages } from './messages.js';
import { usagePath } from './paths.js';
import type { ViewProps } from './seen.js';
import { Table } from './table.js';
import { usePolled } from './use-polled.js';
import { Watched } from './watched.js';

const everyMs = 15_000;
const dayMs = 86_400_000;
const columns = messages.customerColumns;
type Customer = UsageOverview['customers'][number];

/** What customers with API keys use, if there are any. */
export function CustomersPage({ seen }: ViewProps) {
  return (
    <section>
      <h2>{messages.customersTitle}</h2>
      {seen.program.api_keys === 'off' ? <p>{messages.keysOff}</p> : <Customers seen={seen} />}
    </section>
  );
}

function Customers({ seen }: ViewProps) {
  const [state, again] = usePolled('usage', everyMs, (signal) =>
    withToken('operator', (token) => ask<UsageOverview>(usagePath, { token, signal })),
  );
  return (
    <Watched state={state} again={again}>
      {({ customers, total, from, to }) =>
        customers.length === 0 ? (
          <p>{messages.noCustomers}</p>
        ) : (
          <>
            <p class="muted">{messages.customersHint(count(customers.length), count(total))}</p>
            <Table label={messages.customersTitle} columns={Object.values(columns)} figures={[1]}>
              {customers.map((customer) => (
                <Row key={customer.customerID} {...{ customer, from, to }} nowIso={seen.at} />
              ))}
            </Table>
          </>
        )
      }
    </Watched>
  );
}

interface RowProps {
  readonly customer: Customer;
  readonly from: string;
  readonly to: string;
  readonly nowIso: string;
}

function Row({ customer, from, to, nowIso }: RowProps) {
  const { name, planID, activeKeys, lastUsedAt, thisMonth } = customer;
  const days = daysBetween(from, to).map((day) => ({
    key: day,
    value: customer.days.find((each) => each.day === day)?.requests ?? 0,
  }));
  return (
    <tr>
      <th scope="row" dir="auto">
        {name}
        <span class="muted ops-block">{messages.plan(planID)}</span>
      </th>
      <td>{count(activeKeys)}</td>
      <td>{lastUsedAt === undefined ? messages.never : age(lastUsedAt, nowIso)}</td>
      <td>
        {thisMonth.length === 0 && messages.none}
        <ul class="ops-families">
          {thisMonth.map(({ family, requests, quota }) => (
            <li key={family}>
              <span>{messages.families[family]}</span>
              <Fill part={quota === undefined || quota === 0 ? 0 : requests / quota} />
              <span>
                {quota === undefined
                  ? `${count(requests)} · ${messages.noQuota}`
                  : `${messages.outOf(count(requests), count(quota))}` +
                    (quota === 0 ? '' : ` · ${share(requests / quota)}`)}
              </span>
            </li>
          ))}
        </ul>
      </td>
      <td>
        <Bars
          bars={days}
          label={days
            .map(({ key, value }) => `${dayText(key)}: ${messages.requestsOf(value, count(value))}`)
            .join(', ')}
        />
        <span class="muted ops-block">
          {messages.today(messages.requestsOf(days.at(-1)?.value ?? 0, count(days.at(-1)?.value ?? 0)))}
        </span>
      </td>
    </tr>
  );
}

function daysBetween(from: string, to: string): readonly string[] {
  const many = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  return Array.from({ length: many }, (_, i) =>
    new Date(Date.parse(from) + i * dayMs).toISOString().slice(0, 10),
  );
}
