import { useState } from 'preact/hooks';
import type { DisputeBody } from '#schemas/http/disputes.js';
import { Shown } from '../hotel/frame.js';
import { moneyText, timeText } from '../hotel/texts.js';
import { useLoaded } from '../hotel/use-loaded.js';
import { messages } from './finance-messages.js';
import { disputeAcceptancePathOf, disputeEvidencePathOf, disputesPath } from './paths.js';
import { askAsPerson } from './person.js';

/** Open disputes, the nearest deadline first, with the answer that each has or needs. */
export function DisputesPage({ person }: { readonly person: string }) {
  const [queue, again] = useLoaded(person, () =>
    askAsPerson<{ disputes: DisputeBody[] }>(person, `${disputesPath}?limit=200`),
  );
  return (
    <section>
      <h2>{messages.disputes}</h2>
      <Shown state={queue}>
        {({ disputes }) =>
          disputes.length === 0 ? (
            <p class="muted">{messages.noDisputes}</p>
          ) : (
            <ul class="findings">
              {disputes.map((dispute) => (
                <li class="card finding" key={dispute.dispute_id}>
                  <DisputeCard dispute={dispute} />
                  {mayAnswer(dispute) && <AnswerForm person={person} dispute={dispute} onAnswered={again} />}
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  );
}

const mayAnswer = ({ answer, is_missed: isMissed }: DisputeBody): boolean =>
  !isMissed && (answer === null || answer.answer_status === 'refused');

function DisputeCard({ dispute }: { readonly dispute: DisputeBody }) {
  const { answer, evidence_due_at: due, is_missed: isMissed, documents } = dispute;
  const amount = moneyText(dispute.amount, dispute.currency);
  return (
    <>
      <p>{messages.disputed(amount, dispute.seller_account, dispute.payment_order_id, dispute.reason)}</p>
      <p class={isMissed ? 'bad' : 'muted'}>
        {isMissed ? messages.deadlineMissed(timeOf(due)) : messages.deadline(timeOf(due))}
      </p>
      {answer !== null && (
        <p>{messages.answered(answer.kind, answer.answer_status, answer.answered_by, answer.failure)}</p>
      )}
      {documents.length > 0 && (
        <p class="muted">{messages.documents(documents.map(({ purpose }) => messages.words(purpose)))}</p>
      )}
    </>
  );
}

const timeOf = (instant: string | null): string | null => (instant === null ? null : timeText(instant));

interface AnswerProps {
  readonly person: string;
  readonly dispute: DisputeBody;
  readonly onAnswered: () => void;
}

/** An explanation as evidence, or the reason for which the dispute is given up. */
function AnswerForm({ person, dispute, onAnswered }: AnswerProps) {
  const [text, setText] = useState('');
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async (path: string, body: object) => {
    if (busy) return;
    setBusy(true);
    setTrouble('');
    try {
      await askAsPerson(person, path, { method: 'POST', body });
      onAnswered();
    } catch (cause) {
      setTrouble((cause as Error).message);
      setBusy(false);
    }
  };
  const isEmpty = text.trim() === '';
  const id = dispute.dispute_id;
  return (
    <div>
      <label class="field">
        <span>{messages.explanation}</span>
        <textarea
          rows={3}
          maxLength={5_000}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div class="finance-buttons">
        <button
          type="button"
          class="main-button"
          disabled={isEmpty}
          onClick={() => void send(disputeEvidencePathOf(id), { explanation: text })}
        >
          {messages.sendEvidence}
        </button>
        <button
          type="button"
          class="main-button quiet"
          disabled={isEmpty || text.length > 200}
          onClick={() => void send(disputeAcceptancePathOf(id), { reason: text })}
        >
          {messages.giveUp}
        </button>
      </div>
      {trouble !== '' && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
    </div>
  );
}
