import { useState } from 'preact/hooks';
import { messages } from './finance-messages.js';
import { askAsPerson } from './person.js';

interface Props {
  readonly person: string;
  /** Where the decision goes. */
  readonly path: string;
  readonly onDecided: () => void;
}

/** Approve or refuse, with a recorded reason. */
export function ReviewButtons({ person, path, onDecided }: Props) {
  const [reason, setReason] = useState('');
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async (decision: 'approve' | 'deny') => {
    if (busy) return;
    setBusy(true);
    setTrouble('');
    try {
      await askAsPerson(person, path, { method: 'POST', body: { decision, reason } });
      onDecided();
    } catch (cause) {
      setTrouble((cause as Error).message);
      setBusy(false);
    }
  };
  return (
    <div>
      <label class="field">
        <span>{messages.reason}</span>
        <input
          type="text"
          maxLength={200}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </label>
      <div class="finance-buttons">
        <button
          type="button"
          class="main-button"
          disabled={reason.trim() === ''}
          onClick={() => void send('approve')}
        >
          {messages.approve}
        </button>
        <button
          type="button"
          class="main-button quiet"
          disabled={reason.trim() === ''}
          onClick={() => void send('deny')}
        >
          {messages.deny}
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
