import { age, count } from './figures.js';
import { messages } from './messages.js';
import { marked, Rows } from './rows.js';
import { lagMax, type ViewProps } from './seen.js';

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
        <Rows
          label={messages.lagsTitle}
          columns={[group, topic, lag, newest]}
          figures={[2, 3]}
          rows={lags.groups.map((each) => ({
            key: `${each.group} ${each.topic}`,
            cells: [
              <Named key="group" name={messages.groups[each.group]} code={each.group} />,
              <Named key="topic" name={messages.topics[each.topic]} code={each.topic} />,
              marked(
                messages.records(each.records, count(each.records)),
                each.records >= lagMax ? 'bad' : null,
              ),
              each.newest_at === null ? messages.unknown : age(each.newest_at, at),
            ],
          }))}
        />
      )}
    </section>
  );
}

/** A name for people with the one that commands and dashboards use. */
function Named({ name, code }: { readonly name: string | undefined; readonly code: string }) {
  return (
    <>
      {name ?? code}
      {name !== undefined && <code class="ops-code">{code}</code>}
    </>
  );
}
