import { createTransport } from 'nodemailer';
import { checkMail, type Mail, type Mailer, MailRefused } from './mailer.js';

const timeoutMs = 10_000;

/** The letter as every adapter sends it. */
export function letterOf(mail: Mail, from: string) {
  checkMail(mail);
  return {
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    attachments: (mail.attachments ?? []).map(({ name, type, content }) => ({
      filename: name,
      contentType: type,
      content,
    })),
    messageId: `<${mail.id.replaceAll(':', '.')}@meridian>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/**
 * A mail server: `smtp://user:password@host:587` with STARTTLS where it is offered, always with
 * `?requireTLS=true`; `smtps://…:465` with TLS from the first byte.
 */
export function nodemailerMailer(address: string, from: string): Mailer {
  const transport = createTransport({
    url: address,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  return {
    async send(mail) {
      const letter = letterOf(mail, from);
      try {
        await transport.sendMail(letter);
      } catch (error) {
        const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
        // 5yz: the server will never accept it (RFC 5321, section 4.2.1); 535 is about our credentials, not
        // about the mail.
        if (code >= 500 && code !== 530 && code !== 535)
          throw new MailRefused(`The mail server rejected the mail with code ${code}.`);
        // Its own text may have the address of the recipient.
        const reason =
          code > 0 ? `with code ${code}` : `(${(error as { code?: string }).code ?? 'no answer'})`;
        throw new Error(`The mail server did not take the mail ${reason}.`);
      }
    },
    async close() {
      transport.close();
    },
  };
}
