import { messages } from './finance-messages.js';

interface Props {
  /** Undefined on the first page. */
  readonly onNewest: (() => void) | undefined;
  /** Undefined on the last page. */
  readonly onOlder: (() => void) | undefined;
}

/** Back to the newest entries of a list, and on to older ones. */
export function PageButtons({ onNewest, onOlder }: Props) {
  return (
    <div class="finance-buttons">
      {onNewest !== undefined && (
        <button type="button" class="main-button quiet" onClick={onNewest}>
          {messages.newest}
        </button>
      )}
      {onOlder !== undefined && (
        <button type="button" class="main-button quiet" onClick={onOlder}>
          {messages.older}
        </button>
      )}
    </div>
  );
}
