import { type HttpTransportChoice, openHttpTransport } from '#platform/http-transport/open-http-transport.js';

/**
 * The transport of servers that tests start in their own process: `HTTP_SERVER` selects it, as for the
 * programs.
 */
export const { transport: httpTransport } = openHttpTransport(
  (process.env['HTTP_SERVER'] ?? 'auto') as HttpTransportChoice,
);
