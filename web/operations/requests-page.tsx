import { Bars, Fill } from './bars.js';
import { count, duration, latency, rate, share } from './figures.js';
import { messages } from './messages.js';
import { marked, Rows } from './rows.js';
import { intervalsShown, type ViewProps } from './seen.js';

const columns = messages.requestColumns;
/** A share of refusals that is worth a look: some people always mistype. */
const manyRefused = 0.05;

/** Rate, errors and durations by operation, and how full each bounded queue is. */
export function RequestsPage({ seen }: ViewProps) {
  return (
    <>
      <Rates seen={seen} />
      <Queues seen={seen} />
    </>
  );
}

function Rates({ seen: { program, requests } }: ViewProps) {
  const { operations, intervals, covered_s: covered, interval_s: interval } = requests;
  const most = Math.max(0, ...intervals.map((each) => each.requests));
  return (
    <section>
      <h2>{messages.requestsTitle}</h2>
      <p class="muted">
        {messages.requestsHint(messages.programs[program.name] ?? program.name, duration(1_000 * covered))}
      </p>
      {operations.length === 0 ? (
        <p>{messages.noRequests}</p>
      ) : (
        <>
          <div class="card ops-chart">
            <p class="muted">{messages.requestBars(rate(most / interval))}</p>
            <Bars
              size="large"
              slots={intervalsShown}
              label={messages.requestBars(rate(most / interval))}
              bars={intervals.map((each) => ({
                key: each.ended_at,
                value: each.requests,
                bad: each.failed,
              }))}
            />
          </div>
          <Rows
            label={messages.requestsTitle}
            columns={Object.values(columns)}
            figures={[1, 2, 3, 4, 5]}
            rows={operations.map((each) => ({
              key: each.operation ?? '',
              cells: [
                each.operation === null ? messages.others : <code key="operation">{each.operation}</code>,
                rate(each.requests / Math.max(1, covered)),
                marked(share(each.failed / each.requests), each.failed > 0 ? 'bad' : null),
                marked(
                  share(each.refused / each.requests),
                  each.refused / each.requests >= manyRefused ? 'warn' : null,
                ),
                latency(each.p50_ms),
                latency(each.p99_ms),
              ],
            }))}
          />
        </>
      )}
    </section>
  );
}

function Queues({ seen: { requests } }: ViewProps) {
  return (
    <section>
      <h2>{messages.queuesTitle}</h2>
      <p class="muted">{messages.queuesHint}</p>
      <ul class="ops-queues">
        {requests.queues.map(({ name, waiting, limit }) => (
          <li key={name} class="card">
            <span>{messages.queues[name] ?? name}</span>
            <Fill part={waiting / limit} />
            <span class="muted">
              {messages.outOf(count(waiting), count(limit))} · {share(waiting / limit)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
