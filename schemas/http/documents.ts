import { Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

export const getAsyncApi = {
  operationId: 'getAsyncApi',
  method: 'GET',
  path: '/v1/asyncapi.json',
  listener: 'both',
  tag: 'operations',
  summary: 'Topics of the event log and frames of the WebSocket, as AsyncAPI 3.0',
  scopes: 'open',
  responses: { 200: { description: 'AsyncAPI.', schema: Type.Unknown() } },
} as const satisfies RouteContract;
