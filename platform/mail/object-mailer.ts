import { createTransport } from 'nodemailer';
import type { ObjectStore } from '../object-store/object-store.js';
import type { Mailer } from './mailer.js';
import { letterOf } from './nodemailer-mailer.js';

/**
 * Writes each letter once to a file, `mail/<id>.eml` as in RFC 5322: for demonstrations, and for
 * installations with a sender of their own.
 */
export function objectMailer(objects: ObjectStore, from: string): Mailer {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      const { message } = await composer.sendMail(letterOf(mail, from));
      await objects.putIfAbsent(`mail/${mail.id.replaceAll(':', '.')}.eml`, message as Buffer);
    },
    close: () => objects.close(),
  };
}
