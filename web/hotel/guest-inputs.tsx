import { useId } from 'preact/hooks';
import { type GuestEntry, type GuestField, guestFields } from './guest-entry.js';

const attributes = {
  name: { type: 'text', autocomplete: 'name', maxLength: 400 },
  email: { type: 'email', autocomplete: 'email', maxLength: 254 },
  phone: { type: 'tel', autocomplete: 'tel', maxLength: 40 },
  guests: { type: 'text', inputMode: 'numeric', autocomplete: 'off', maxLength: 3 },
} as const;

interface GuestInputsProps {
  readonly entry: GuestEntry;
  /** Shown beside their fields. */
  readonly faults: ReadonlyMap<GuestField, string> | undefined;
  readonly labelOf: (name: GuestField) => string;
  readonly required: readonly GuestField[];
  /** Typed by the guest, whose browser may know it. */
  readonly isOwn: boolean;
  readonly onEntry: (entry: GuestEntry) => void;
}

/** The fields of a guest. */
export function GuestInputs({ entry, faults, labelOf, required, isOwn, onEntry }: GuestInputsProps) {
  const id = useId();
  return (
    <>
      {guestFields.map((name) => {
        const fault = faults?.get(name);
        return (
          <label key={name} class="field">
            <span>{labelOf(name)}</span>
            <input
              {...attributes[name]}
              {...(isOwn ? {} : { autocomplete: 'off' })}
              name={name}
              value={entry[name]}
              aria-required={required.includes(name)}
              aria-invalid={fault !== undefined}
              {...(fault === undefined ? {} : { 'aria-describedby': `${id}-${name}` })}
              onInput={({ currentTarget: { value } }) => onEntry({ ...entry, [name]: value })}
            />
            {fault !== undefined && (
              <span id={`${id}-${name}`} class="field-error">
                {fault}
              </span>
            )}
          </label>
        );
      })}
    </>
  );
}
