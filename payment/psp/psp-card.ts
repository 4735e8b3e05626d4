/** A card that the provider keeps, by the provider's own names. */
export interface PspCardReference {
  readonly token: string;
  /** Whose card it is at the provider; nobody else can be charged with the token. */
  readonly customer: string;
}

/** All that we know of a kept card. */
export interface PspCard extends PspCardReference {
  readonly brand: string;
  readonly last4: string;
  /** `2030-12` */
  readonly expiryMonth: string;
}

const name = /^[A-Za-z][A-Za-z0-9_-]{3,254}$/;
/** The number of a card has at least twelve digits. */
const numberOfCard = /(?:\d[_-]*){12}/;

/** A card as the provider describes it; undefined if a name could be a number, or a field is misshapen. */
export function pspCardOf(card: {
  readonly token: unknown;
  readonly customer: unknown;
  readonly brand: unknown;
  readonly last4: unknown;
  readonly expiryMonth: unknown;
}): PspCard | undefined {
  const { token, customer, brand, last4, expiryMonth } = card;
  if (!isName(token) || !isName(customer)) return undefined;
  if (typeof brand !== 'string' || !/^[a-z][a-z0-9_ ]{0,31}$/.test(brand)) return undefined;
  if (typeof last4 !== 'string' || !/^\d{4}$/.test(last4)) return undefined;
  if (typeof expiryMonth !== 'string' || !/^20\d{2}-(0[1-9]|1[0-2])$/.test(expiryMonth)) return undefined;
  return { token, customer, brand, last4, expiryMonth };
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && name.test(value) && !numberOfCard.test(value);
