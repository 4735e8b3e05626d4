import { useState } from 'preact/hooks';
import { ReasonField } from './reason-field.js';
import { messages } from './staff-messages.js';
import { type Deed, Said } from './use-deed.js';

interface ConfirmProps {
  /** What will happen. */
  readonly question: string;
  readonly confirm: string;
  readonly deed: Deed;
  readonly onConfirm: (reason: string) => void;
  readonly onKeep: () => void;
}

/** Before what cannot be taken back: says what it does, and asks for the reason. */
export function ConfirmWithReason({ question, confirm, deed, onConfirm, onKeep }: ConfirmProps) {
  const [reason, setReason] = useState('');
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        onConfirm(reason.trim());
      }}
    >
      <p>{question}</p>
      <ReasonField reason={reason} onReason={setReason} required />
      <div class="button-row wrap">
        <button type="submit" class="main-button danger" aria-busy={deed.busy}>
          {confirm}
        </button>
        <button type="button" class="main-button quiet" onClick={onKeep}>
          {messages.keep}
        </button>
      </div>
      <Said deed={deed} />
    </form>
  );
}
