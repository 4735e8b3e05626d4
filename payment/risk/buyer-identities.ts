import { createHash } from 'node:crypto';

/** The buyer, as a payment event names them; the two infos are JSON. */
export interface NamedBuyer {
  readonly caller: string;
  readonly buyerAccount: string;
  readonly buyerInfo: string;
  readonly cardInfo: string;
}

/**
 * The names by which a buyer is recognized, each as a SHA-256 in hexadecimal, so that no e-mail address can
 * be read from the count. A service names accounts in its own way, so an account counts within its service. A
 * card, an e-mail address and a postal address mean the same person at every service. A customer who pays
 * without a service is the subject of the token, whatever the body contains: otherwise one customer could use
 * up the count of another.
 */
export function buyerIdentities({
  caller,
  buyerAccount,
  buyerInfo,
  cardInfo,
}: NamedBuyer): readonly string[] {
  const account = digest('account', `${caller}\n${words(buyerAccount)}`);
  if (caller === buyerAccount) return [account];
  const { email, address } = fieldsOf(buyerInfo);
  const { fingerprint } = fieldsOf(cardInfo);
  return [
    account,
    ...named('card', typeof fingerprint === 'string' ? fingerprint.trim() : ''),
    ...named('email', typeof email === 'string' ? words(email).toLowerCase() : ''),
    ...named('address', addressText(address)),
  ];
}

/** One house, or nothing: a country or a town is shared by too many. */
function addressText(address: unknown): string {
  if (typeof address === 'string') {
    const text = plain(address);
    return /\d/.test(text) ? text : '';
  }
  if (typeof address !== 'object' || address === null) return '';
  const { line1 } = address as { readonly line1?: unknown };
  return typeof line1 === 'string' && plain(line1) !== '' ? plain(textOf(address)) : '';
}

/** All that it holds, whatever the order of its fields. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, inner]) => textOf(inner))
    .join(' ');
}

const words = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

/** Letters and digits alone: "5 Main St." and "5 main st" are one address. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const named = (kind: string, text: string): readonly string[] => (text === '' ? [] : [digest(kind, text)]);

const digest = (kind: string, text: string): string =>
  createHash('sha256').update(`${kind}\n${text}`).digest('hex');

function fieldsOf(json: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
