import type { ObjectStore } from '../object-store/object-store.js';
import { openObjectStore } from '../object-store/open-object-store.js';
import type { Mailer } from './mailer.js';
import { nodemailerMailer } from './nodemailer-mailer.js';
import { objectMailer } from './object-mailer.js';

/**
 * `smtp://…` or `smtps://…` is a mail server; any other address is an object store that keeps the letters,
 * `dir:./data/mail`.
 */
export async function openMailer(
  address: string,
  from: string,
  open: (address: string) => Promise<ObjectStore> = openObjectStore,
): Promise<Mailer> {
  return /^smtps?:/.test(address) ? nodemailerMailer(address, from) : objectMailer(await open(address), from);
}
