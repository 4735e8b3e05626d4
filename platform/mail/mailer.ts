/** One letter to one person. */
export interface Mail {
  /**
   * `<id@meridian>` is its Message-ID, so that a repeated mail is recognized as the same. 1 to 120 of
   * `A-Za-z0-9._:-`.
   */
  readonly id: string;
  /** One address, `ada@example.org`. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same as a page; programs that show it leave out `text`. */
  readonly html?: string;
  readonly attachments?: readonly Attachment[];
}

export interface Attachment {
  /** Of the file, `stay.ics`. */
  readonly name: string;
  /** `text/calendar; charset=utf-8`. */
  readonly type: string;
  readonly content: string;
}

/**
 * Sends letters: to a mail server, or into files for another sender. At least once.
 *
 * ```ts
 * const text = 'It is complete.';
 * await mailer.send({ id: 'order-1:completed', to: 'ada@example.org', subject: 'Your payment', text });
 * ```
 */
export interface Mailer {
  /**
   * Resolves when another system is responsible for the letter. Rejects permanently with `MailRefused`, and
   * temporarily with any other error. No error has the address.
   */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/** The address or the mail is refused; a retry is pointless. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

const plainId = /^[A-Za-z0-9._:-]{1,120}$/;
const plainAddress = /^[^\s@<>,;:"()[\]\\]{1,64}@[\p{L}\p{N}.-]{1,253}$/u;

/** Rejects what could be read as something else by a mail server: two addresses, a header in an id. */
export function checkMail({ id, to }: Mail): void {
  if (!plainId.test(id)) throw new MailRefused('The id of the mail may have only letters, digits and ._:-');
  if (!plainAddress.test(to)) throw new MailRefused('The address of the mail is not a single plain address.');
}
