import { age, count } from './figures.js';
import { messages } from './messages.js';
import type { ViewProps } from './seen.js';
import { Table } from './table.js';

const { group, topic, lag, newest } = messages.lagColumns;

/** How far each consumer group is behind, the furthest first. */
export function LagsPage({ seen: { lags, at } }: ViewProps) {
  return (
    <section>
      <h2>{messages.lagsTitle}</h2>
      <p class="muted">{messages.lagsHint}</p>
      {lags.unknown_because !== null ? (
        <p class="bad" role="alert" lang="en">
          {lags.unknown_because}
        </p>
      ) : lags.groups.length === 0 ? (
        <p>{messages.noGroups}</p>
      ) : (
        <Table label={messages.lagsTitle} columns={[group, topic, lag, newest]} figures={[2, 3]}>
          {lags.groups.map((each) => (
            <tr key={`${each.group} ${each.topic}`}>
              <th scope="row">
                {messages.groups[each.group] ?? each.group}
                <code>{each.group}</code>
              </th>
              <td>
                {messages.topics[each.topic] ?? each.topic}
                <code>{each.topic}</code>
              </td>
              <td class={each.records >= manyRecords ? 'over' : ''}>
                {messages.records(each.records, count(each.records))}
              </td>
              <td>{each.newest_at === null ? messages.unknown : age(each.newest_at, at)}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** The alert of `deploy/prometheus/rules.yml` and `meridian doctor` have the same limit. */
const manyRecords = 10_000;
