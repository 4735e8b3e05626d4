/** What the list of payments is searched by; an empty text is no filter. */
export const searchFields = [
  'id',
  'status',
  'seller_account',
  'buyer_account',
  'currency',
  'amount_from',
  'amount_to',
  'from',
  'to',
] as const;
export type SearchField = (typeof searchFields)[number];
export type PaymentSearch = Readonly<Record<SearchField, string>>;

export const noSearch = Object.fromEntries(searchFields.map((field) => [field, ''])) as PaymentSearch;

/** From what follows the `?` in the address; what is no field is left out. */
export function searchOf(address: string): PaymentSearch {
  const given = new URLSearchParams(address.split('?')[1] ?? '');
  return Object.fromEntries(searchFields.map((field) => [field, given.get(field) ?? ''])) as PaymentSearch;
}

/** For the address of the page: days as they were chosen. */
export const addressQuery = (search: PaymentSearch): string =>
  String(
    new URLSearchParams(
      searchFields.flatMap((field) => (search[field] === '' ? [] : [[field, search[field]]])),
    ),
  );

/**
 * For the server. Days are those of this browser, both included. An id is searched alone, whatever else is
 * filled in.
 */
export function requestQuery(search: PaymentSearch): string {
  if (search.id !== '') return String(new URLSearchParams({ id: search.id }));
  const query = new URLSearchParams(addressQuery(search));
  if (search.from !== '') query.set('from', startOf(search.from, 0));
  if (search.to !== '') query.set('to', startOf(search.to, 1));
  return String(query);
}

/** The first moment of a day here, or of one that is so many days later. */
function startOf(day: string, later: number): string {
  const start = new Date(`${day}T00:00`);
  start.setDate(start.getDate() + later);
  return start.toISOString();
}
