import { describe, expect, it } from 'vitest';
import { addressSettings, isLoopback, isOverTls, serversAt } from '#platform/config/server-addresses.js';
import { settings } from '#platform/config/settings.js';
import { kafkaServersOf } from '#platform/event-log/kafka-servers.js';
import { redisServerOf } from '#platform/live-cache/open-live-cache.js';
import { clusterOf } from '#platform/location-store/open-location-store.js';
import { serverOf } from '#platform/sql/open-sql.js';

/** Whether a pattern has a colon of its own: not of a group's head, not in a class of characters. */
const asksForScheme = (pattern: string): boolean =>
  pattern
    .replaceAll(/\[(?:\\.|[^\]])*\]/g, '')
    .replaceAll('(?:', '(')
    .includes(':');

describe('settings with addresses', () => {
  it('every setting whose value is an address is in the list', () => {
    const found = Object.entries(settings)
      .filter(([, { schema }]) => 'pattern' in schema && asksForScheme(String(schema.pattern)))
      .map(([name]) => name);
    expect([...addressSettings].toSorted()).toEqual(found.toSorted());
  });

  it('control: schemes are found in patterns, groups and classes of characters are not', () => {
    for (const pattern of ['^amqps?://.*$', '^(?:nats|dir):.*$', '^[a-z]=(?:a|b):[^ ]+$'])
      expect(asksForScheme(pattern), pattern).toBe(true);
    for (const pattern of ['^(?:a|b)$', '^[0-9A-Fa-f.:/, ]*$', '^[\\]:]+$'])
      expect(asksForScheme(pattern), pattern).toBe(false);
  });

  it.each([
    ['kafka://a:9093,[::1]:9094?tls=true&ca=/ca.pem', ['a 9093 true /ca.pem', '::1 9094 true /ca.pem']],
    ['kafka://u%40:p@a:1', ['a 1 false']],
    ['cassandra://u:p@a,b/k?dc=x', ['a 9042 false', 'b 9042 false']],
    ['rediss://u:p@a:6380/0?ca=/ca.pem', ['a 6380 true /ca.pem']],
    ['redis://[::1]', ['::1 6379 false']],
    ['postgres://u:p@a/d?sslmode=verify-full&ca=/ca.pem', ['a 5432 true /ca.pem']],
    ['postgresql://u:p@a:1/d?sslmode=disable', ['a 1 false']],
    ['https://u:p@a/path?x', ['a 443 true']],
    ['http://a:8081', ['a 8081 false']],
    ['http://elsewhere\\@127.0.0.1/', ['elsewhere 80 false']],
    ['s3://bucket?endpoint=http://a:9000&region=x', ['a 9000 false']],
    ['s3://bucket?region=x', []],
    ['smtp://u:p@a', ['a 587 false']],
    ['smtp://u:p@a:25?requireTLS=true', ['a 25 true']],
    ['smtps://u:p@a', ['a 465 true']],
    ['embedded:./data/log', []],
    ['dir:/a:b', []],
    ['memory:', []],
    ['smtp:malformed', [' 587 false']],
    ['unknown://a', ['a 0 false']],
  ])('%s leads there', (address, expected) => {
    expect(
      serversAt(address).map(({ host, port, hasTls, authorities }) =>
        [host, port, hasTls, ...(authorities === undefined ? [] : [authorities])].join(' '),
      ),
    ).toEqual(expected);
  });

  it('the drivers have TLS for the same addresses', () => {
    const drivers = {
      kafka: kafkaServersOf,
      cassandra: (address: string) => clusterOf(address, 1),
      redis: redisServerOf,
      rediss: redisServerOf,
      postgres: serverOf,
      postgresql: serverOf,
    };
    for (const address of [
      ...['kafka://a:1', 'kafka://a:1,b:2?tls=true', 'kafka://a:1?tls=false'],
      ...['cassandra://a/k', 'cassandra://a,b/k?tls=true', 'cassandra://a/k?tls=false'],
      ...['redis://a', 'rediss://a', 'postgres://u@a/d', 'postgresql://u@a/d?sslmode=disable'],
      ...['postgres://u@a/d?sslmode=require', 'postgresql://u@a/d?sslmode=verify-full'],
    ]) {
      const { tls } = drivers[address.split(':')[0] as keyof typeof drivers](address);
      expect([address, tls !== undefined]).toEqual([address, isOverTls(address)]);
    }
  });

  it('loopback is this machine and nothing else', () => {
    for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.1', '::1'])
      expect(isLoopback(host), host).toBe(true);
    for (const host of ['', '0.0.0.0', '::', '127.example', 'localhost.example', '10.0.0.1', '192.0.2.1'])
      expect(isLoopback(host), host).toBe(false);
  });
});
