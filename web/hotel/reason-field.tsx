import { messages } from './staff-messages.js';

interface ReasonFieldProps {
  readonly reason: string;
  readonly onReason: (reason: string) => void;
  readonly label?: string;
  readonly required?: boolean;
}

/** Why a person of the staff does something, for the audit log. */
export function ReasonField({
  reason,
  onReason,
  label = messages.reason,
  required = false,
}: ReasonFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        value={reason}
        maxLength={200}
        required={required}
        {...(required ? { pattern: '.*\\S.*' } : {})}
        onInput={({ currentTarget: { value } }) => onReason(value)}
      />
    </label>
  );
}
