import { useState } from 'preact/hooks';
import { saveDocument } from './calls.js';
import { messages } from './messages.js';

/** The booking number, and what a guest may save after the payment. */
export function Documents({ id, bookingNumber }: { readonly id: string; readonly bookingNumber: string }) {
  const [trouble, setTrouble] = useState('');
  const button = (kind: 'receipt' | 'calendar', text: string, name: string) => (
    <button
      type="button"
      class="link-button"
      onClick={() => {
        setTrouble('');
        saveDocument(kind, id, name).catch((cause: Error) => setTrouble(cause.message));
      }}
    >
      {text}
    </button>
  );
  return (
    <p>
      {messages.bookingNumber} <strong>{bookingNumber}</strong>{' '}
      {button('receipt', messages.receipt, `${bookingNumber}.html`)}{' '}
      {button('calendar', messages.calendarFile, `${bookingNumber}.ics`)}
      {trouble !== '' && (
        <span class="bad" role="alert">
          {trouble}
        </span>
      )}
    </p>
  );
}
