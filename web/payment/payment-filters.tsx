import { useState } from 'preact/hooks';
import { messages } from './finance-messages.js';
import { noSearch, type PaymentSearch, type SearchField } from './payment-search.js';

interface Props {
  readonly search: PaymentSearch;
  readonly onSearch: (search: PaymentSearch) => void;
}

/** The form of the list. It searches when it is sent, not with each letter. */
export function PaymentFilters({ search, onSearch }: Props) {
  const [draft, setDraft] = useState(search);
  const input = (field: SearchField, label: string, more: object = {}) => (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        maxLength={64}
        value={draft[field]}
        onInput={(event) => setDraft({ ...draft, [field]: event.currentTarget.value.trim() })}
        {...more}
      />
    </label>
  );
  return (
    <form
      class="card finding"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(draft);
      }}
    >
      <div class="entry">
        {input('id', messages.anyId, { maxLength: 255 })}
        <label class="field">
          <span>{messages.status}</span>
          <select
            value={draft.status}
            onChange={(event) => setDraft({ ...draft, status: event.currentTarget.value })}
          >
            <option value="">{messages.anyStatus}</option>
            {Object.entries(messages.statuses).map(([status, text]) => (
              <option key={status} value={status}>
                {text}
              </option>
            ))}
          </select>
        </label>
        {input('seller_account', messages.sellerAccount)}
        {input('buyer_account', messages.buyer, { maxLength: 128 })}
        {input('from', messages.day.from, { type: 'date' })}
        {input('to', messages.day.to, { type: 'date' })}
        {input('currency', messages.currency, { maxLength: 3, pattern: '[A-Z]{3}', placeholder: 'EUR' })}
        {input('amount_from', messages.amountFrom, { inputMode: 'decimal', maxLength: 32 })}
        {input('amount_to', messages.amountTo, { inputMode: 'decimal', maxLength: 32 })}
      </div>
      <div class="finance-buttons">
        <button type="submit" class="main-button">
          {messages.search}
        </button>
        <button
          type="button"
          class="main-button quiet"
          onClick={() => {
            setDraft(noSearch);
            onSearch(noSearch);
          }}
        >
          {messages.clear}
        </button>
      </div>
    </form>
  );
}
