import type { HotelView } from '#schemas/http/hotels.js';
import { type BlockEntry, entryFault } from './block-entry.js';
import { BlockRooms } from './block-rooms.js';
import { messages } from './staff-messages.js';
import { type Deed, Said } from './use-deed.js';

interface BlockFormProps {
  readonly hotel: HotelView;
  readonly entry: BlockEntry;
  /** The group as it is now; absent: it is new. */
  readonly before?: BlockEntry;
  readonly deed: Deed;
  readonly onEntry: (entry: BlockEntry) => void;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

/** A new group, or the change of one. */
export function BlockForm({ hotel, entry, before, deed, onEntry, onSave, onCancel }: BlockFormProps) {
  const set = (change: Partial<BlockEntry>) => onEntry({ ...entry, ...change });
  const fault = entryFault(entry, hotel, before === undefined);
  const text = (name: 'name' | 'code' | 'reason', label: string, more: object = {}) => (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        name={name}
        value={entry[name]}
        maxLength={200}
        required
        {...more}
        onInput={({ currentTarget: { value } }) => set({ [name]: value })}
      />
    </label>
  );
  const night = (name: 'startDate' | 'endDate', label: string, more: object = {}) => (
    <label class="field">
      <span>{label}</span>
      <input
        type="date"
        value={entry[name]}
        required
        {...more}
        onInput={({ currentTarget: { value } }) => value !== '' && set({ [name]: value })}
      />
    </label>
  );
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        if (fault === '') onSave();
      }}
    >
      <div class="stay-form block-form">
        {text('name', messages.groupName)}
        {before === undefined && (
          <>
            {text('code', messages.code, {
              maxLength: 32,
              pattern: '[A-Za-z0-9\\-]{4,32}',
              title: messages.codeRule,
              autocapitalize: 'characters',
            })}
            {night('startDate', messages.firstNight)}
            {night('endDate', messages.lastNight, { min: entry.startDate })}
          </>
        )}
        <label class="field">
          <span>{messages.releaseTime(hotel.timeZone)}</span>
          <input
            type="datetime-local"
            value={entry.releaseAt}
            required
            onInput={({ currentTarget: { value } }) => value !== '' && set({ releaseAt: value })}
          />
        </label>
      </div>
      <BlockRooms
        types={hotel.roomTypes}
        rooms={entry.rooms}
        fixed={before?.rooms.length ?? 0}
        onRooms={(rooms) => set({ rooms })}
      />
      {text('reason', messages.reason)}
      {fault !== '' && (
        <p class="bad" role="status">
          {fault}
        </p>
      )}
      <div class="button-row wrap">
        <button type="submit" class="main-button" aria-busy={deed.busy}>
          {before === undefined ? messages.create : messages.save}
        </button>
        <button type="button" class="main-button quiet" onClick={onCancel}>
          {messages.cancel}
        </button>
      </div>
      <Said deed={deed} />
    </form>
  );
}
