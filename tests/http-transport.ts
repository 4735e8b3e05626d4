import { type HttpTransportChoice, openHttpTransport } from '#platform/http-transport/open-http-transport.js';

/**
 * The transport of servers that tests start in their own process: as for the programs, `HTTP_SERVER` chooses
 * it.
 */
export const { transport: httpTransport } = openHttpTransport(
  (process.env['HTTP_SERVER'] ?? 'auto') as HttpTransportChoice,
);
