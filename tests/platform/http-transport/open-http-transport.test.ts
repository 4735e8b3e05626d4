import { describe, expect, test } from 'vitest';
import { findUws } from '#platform/http-transport/load-uws.js';
import { openHttpTransport } from '#platform/http-transport/open-http-transport.js';

describe('selecting the HTTP server', () => {
  test('auto: uWebSockets.js if it loads, else node:http with the reason', () => {
    const found = findUws();
    const { transport, reason } = openHttpTransport('auto');
    if (found.ok) expect([transport.name, reason]).toEqual(['uWebSockets.js', undefined]);
    else expect([transport.name, reason]).toEqual(['node:http', found.reason]);
  });

  test('node: node:http, even if uWebSockets.js loads', () => {
    const { transport, reason } = openHttpTransport('node');
    expect([transport.name, reason]).toEqual(['node:http', 'HTTP_SERVER is node']);
  });

  test('uws: uWebSockets.js, or an error that says why it does not load', () => {
    const found = findUws();
    if (found.ok) expect(openHttpTransport('uws').transport.name).toBe('uWebSockets.js');
    else
      expect(() => openHttpTransport('uws')).toThrow(
        /^HTTP_SERVER is uws, but no build of uWebSockets\.js runs/,
      );
  });
});
