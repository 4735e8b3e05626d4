import type { UsageOverview } from '#schemas/http/api-keys.js';
import { dayText } from '../hotel/texts.js';
import { ask } from '../http/ask.js';
import { operator } from '../sign-in/askers.js';
import { withToken } from '../sign-in/session.js';
import { Bars, Fill } from './bars.js';
import { age, count, share } from './figures.js';
import { messages } from './messages.js';
import { usagePath } from './paths.js';
import { type Row, Rows } from './rows.js';
import type { ViewProps } from './seen.js';
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
    withToken(operator, (token) => ask<UsageOverview>(usagePath, { token, signal })),
  );
  return (
    <Watched state={state} again={again} isPart>
      {({ customers, total, from, to }) =>
        customers.length === 0 ? (
          <p>{messages.noCustomers}</p>
        ) : (
          <>
            <p class="muted">{messages.customersHint(count(customers.length), count(total))}</p>
            <Rows
              label={messages.customersTitle}
              columns={Object.values(columns)}
              figures={[1]}
              rows={customers.map((customer) => ({
                key: customer.customerID,
                cells: cellsOf(customer, from, to, seen.at),
              }))}
            />
          </>
        )
      }
    </Watched>
  );
}

function cellsOf(customer: Customer, from: string, to: string, nowIso: string): Row['cells'] {
  const { name, planID, activeKeys, lastUsedAt, thisMonth } = customer;
  return [
    <span key="name" dir="auto">
      {name}
      <span class="muted ops-block">{messages.plan(planID)}</span>
    </span>,
    count(activeKeys),
    lastUsedAt === undefined ? messages.never : age(lastUsedAt, nowIso),
    thisMonth.length === 0 ? messages.none : <Month key="month" families={thisMonth} />,
    <Days key="days" customer={customer} from={from} to={to} />,
  ];
}

function Month({ families }: { readonly families: Customer['thisMonth'] }) {
  return (
    <ul class="ops-families">
      {families.map(({ family, requests, quota }) => (
        <li key={family}>
          <span>{messages.families[family]}</span>
          {quota === undefined ? <span /> : <Fill part={quota === 0 ? 1 : requests / quota} />}
          <span>
            {quota === undefined
              ? `${count(requests)} · ${messages.noQuota}`
              : messages.outOf(count(requests), count(quota)) +
                (quota === 0 ? '' : ` · ${share(requests / quota)}`)}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface DaysProps {
  readonly customer: Customer;
  readonly from: string;
  readonly to: string;
}

function Days({ customer, from, to }: DaysProps) {
  const days = daysBetween(from, to).map((day) => ({
    key: day,
    value: customer.days.find((each) => each.day === day)?.requests ?? 0,
  }));
  const today = days.at(-1)?.value ?? 0;
  const textOf = ({ key, value }: (typeof days)[number]): string =>
    `${dayText(key)}: ${messages.requestsOf(value, count(value))}`;
  return (
    <>
      <Bars size="small" bars={days} label={days.map(textOf).join(', ')} />
      <span class="muted ops-block">{messages.today(messages.requestsOf(today, count(today)))}</span>
    </>
  );
}

function daysBetween(from: string, to: string): readonly string[] {
  const many = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  return Array.from({ length: many }, (_, i) =>
    new Date(Date.parse(from) + i * dayMs).toISOString().slice(0, 10),
  );
}
