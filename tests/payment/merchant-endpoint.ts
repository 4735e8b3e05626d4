import { expect } from 'vitest';
import { WebhookReceiver } from '../webhook-receiver.js';
import { assignAccount } from './merchant-fixture.js';
import type { OrdersRoom } from './orders-fixture.js';

/** `path` is what follows the list of endpoints. */
export async function callEndpoints(
  room: OrdersRoom,
  {
    method,
    path,
    merchant,
    body,
  }: { readonly method: string; readonly path: string; readonly merchant: string; readonly body?: object },
) {
  const response = await fetch(`${room.url}/v1/merchant/webhook-endpoints${path}`, {
    method,
    headers: {
      authorization: `Bearer merchant.${merchant}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) };
}

/** A merchant with a seller account of the same name, and an endpoint. */
export async function openMerchant(room: OrdersRoom, name: string, event_types: readonly string[]) {
  const receiver = await WebhookReceiver.open();
  await assignAccount(room, { merchant_id: name, seller_account: name, reason: 'test' });
  const created = await callEndpoints(room, {
    ...{ method: 'POST', path: '', merchant: name },
    body: { url: receiver.url, event_types },
  });
  expect(created.status).toBe(201);
  receiver.secret = created.body.secret;
  const id: string = created.body.endpoint.endpoint_id;
  const shown = async () => {
    const { body } = await callEndpoints(room, { method: 'GET', path: '', merchant: name });
    return body.endpoints.find((one: { endpoint_id: string }) => one.endpoint_id === id);
  };
  return { name, id, receiver, shown };
}
