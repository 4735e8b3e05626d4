import type { ListedClosure, OperationsAnswer } from '#schemas/http/operations.js';
import { age, count, moment } from './figures.js';
import { messages } from './messages.js';
import { mapAt, type ViewProps } from './seen.js';

/** Closed and slow roads with what was observed, the newest first. */
export function ClosuresPage({ seen }: ViewProps) {
  const { total, shown } = seen.closures;
  const detected = shown.filter(({ source }) => source === 'detected').length;
  return (
    <section>
      <h2>{messages.closuresTitle}</h2>
      <p class="muted">{messages.closuresHint}</p>
      {total === 0 ? (
        <p>{messages.allOpen}</p>
      ) : (
        <>
          <p class="ops-count">
            {messages.counted(count(detected), count(shown.length - detected))}
            {shown.length < total && ` · ${messages.onlyNewest(count(shown.length), count(total))}`}
          </p>
          <ul class="ops-closures">
            {shown.map((closure) => (
              <Closure key={closure.incident_id} closure={closure} seen={seen} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function kindOf({ kind, speed_kph: speed }: ListedClosure): string {
  return speed === null ? messages.kinds[kind] : messages.slowAt(count(speed));
}

function endOf({ expires_at: end, source }: ListedClosure, nowIso: string): string {
  if (end === null) return messages.openEnded;
  return (source === 'detected' ? messages.until : messages.ends)(moment(end, nowIso));
}

function Closure({ closure, seen }: { readonly closure: ListedClosure; readonly seen: OperationsAnswer }) {
  const { road: given, source, at, edges, evidence, started_at: began, last_evidence_at: last } = closure;
  const road = given === '' ? messages.unnamedRoad : given;
  const facts = [
    messages.since(moment(began, seen.at)),
    endOf(closure, seen.at),
    ...(last === null ? [] : [messages.decidedBy(age(last, seen.at))]),
    messages.directions(edges, count(edges)),
  ];
  return (
    <li class="card ops-closure">
      <div class="ops-closure-head">
        <h3>{road}</h3>
        <span class={`tag tag-${source}`}>{messages.sources[source]}</span>
        <span>{kindOf(closure)}</span>
      </div>
      {/* The sentence is the detector's, in English, or the note of an operator. */}
      <p {...(source === 'detected' ? { lang: 'en' } : { dir: 'auto' as const })} class="ops-evidence">
        {evidence}
      </p>
      <p class="muted">{facts.join(' · ')}</p>
      {at === null ? (
        <p class="muted">{messages.notOnMap}</p>
      ) : (
        <a class="ops-map-link" href={mapAt(seen, at.lat, at.lng)}>
          {messages.showOnMap}
          <span class="unseen">: {road}</span>
        </a>
      )}
    </li>
  );
}
