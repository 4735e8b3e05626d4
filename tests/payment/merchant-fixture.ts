import type { OrdersRoom } from './orders-fixture.js';

/** Finance gives a seller account to a merchant, or another person tries to. */
export const assignAccount = (room: OrdersRoom, body: object, token = 'finance.fay') =>
  room.post(body, { token, path: '/v1/merchant-accounts', base: room.internalUrl, key: '' });

// biome-ignore lint/suspicious/noExplicitAny: the answer of any operation, as its client reads it
type AnyBody = any;

interface MerchantAnswer {
  readonly status: number;
  readonly headers: Response['headers'];
  readonly text: string;
  readonly body: AnyBody;
}

/** `path` is what follows `/v1/merchant`. */
export async function getAsMerchant(
  room: OrdersRoom,
  path: string,
  token = 'merchant.ann',
): Promise<MerchantAnswer> {
  const response = await fetch(`${room.url}/v1/merchant${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get('content-type')?.includes('json') === true;
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
}
