import { describe, expect, it } from 'vitest';
import { checkSettings } from '#cli/doctor/configuration.js';
import { judgeConnections, webhookTargets } from '#cli/plain-connections.js';
import { acceptableSettings, addressSettings } from '#platform/config/server-addresses.js';
import { targetProblem } from '#platform/webhooks/webhook-target.js';
import { proves } from '#tools/acceptance/proves.js';
import { addresses, configOf, host, judged, production, secret } from './addresses.js';

const isAcceptable = (name: string): boolean => (acceptableSettings as readonly string[]).includes(name);

describe('in production, connections that leave this machine', () => {
  proves('P-111', {
    asked: 'all calls over TLS; plain HTTP to the provider cannot be configured',
    shown:
      'each of 18 settings with an address, without TLS: refused by name unless PLAIN_CONNECTIONS has it',
    settings: ['NODE_ENV=production'],
    control: {
      in: 'platform/config/server-addresses.ts',
      change: "http: never(80, 'begin it with https://'),",
      to: 'http: always(80),',
    },
  });
  it.each(addressSettings)('P-111: %s', (name) => {
    const [plain, secured] = addresses[name];
    expect(judged({ [name]: secured })).toEqual({ fault: undefined, accepted: [] });
    if (!isAcceptable(name)) {
      // Of the provider and of the issuer, plain HTTP is no value at all, and nothing accepts it.
      expect(() => configOf({ [name]: plain })).toThrow(name);
      expect(() => configOf({ PLAIN_CONNECTIONS: name })).toThrow('PLAIN_CONNECTIONS');
      return;
    }
    const { fault, accepted } = judged({ [name]: plain });
    expect(accepted).toEqual([]);
    expect(fault).toMatch(new RegExp(`${name} \\(${host}\\): (add|begin it with) .*=${name}\\.$`));
    expect(fault).not.toContain(secret);
    const named = judged({ [name]: plain, PLAIN_CONNECTIONS: name });
    expect(named).toEqual({
      fault: undefined,
      accepted: [expect.stringContaining(`${name} (${host}) has no TLS`)],
    });
    expect(judged({ [name]: plain.replaceAll(host, '127.0.0.1') })).toEqual({
      fault: undefined,
      accepted: [],
    });
    expect(judged({ [name]: plain }, { NODE_ENV: 'development' }).fault).toBeUndefined();
  });

  proves('P-111', {
    asked: 'all calls over TLS',
    shown: 'a listener off loopback needs a certificate, TRUSTED_PROXIES, or its name in PLAIN_CONNECTIONS',
    settings: ['NODE_ENV=production'],
    control: {
      in: 'cli/plain-connections.ts',
      change: '.filter(({ host }) => !isLoopback(host));',
      to: '.filter(() => false);',
    },
  });
  it.each(['HOST', 'INTERNAL_HOST'])('P-111: of a listener: %s', (name) => {
    const open = { [name]: '0.0.0.0' };
    expect(judged(open).fault).toMatch(new RegExp(`${name} \\(0\\.0\\.0\\.0\\): set TLS_CERTIFICATE_FILE`));
    expect(judged({ ...open, PLAIN_CONNECTIONS: name })).toMatchObject({ accepted: [expect.any(String)] });
    for (const more of [
      { TLS_CERTIFICATE_FILE: '/c.pem' },
      { TRUSTED_PROXIES: '10.0.0.0/8' },
      { [name]: '::1' },
    ])
      expect(judged({ ...open, ...more })).toEqual({ fault: undefined, accepted: [] });
    // A command that opens no listener.
    const alone = judgeConnections(configOf(open), { listens: false, environment: production });
    expect(alone.fault).toBeUndefined();
  });

  it('are all named in one sentence, with those that are accepted already', () => {
    const { fault } = judged({
      EVENT_LOG: `kafka://${host}:1,127.0.0.1:1,192.0.2.2:1`,
      CACHE: `redis://${host}`,
      PLAIN_CONNECTIONS: 'CACHE',
    });
    expect(fault).toContain(`EVENT_LOG (${host}): add tls=true; EVENT_LOG (192.0.2.2): add tls=true.`);
    expect(fault).toMatch(/PLAIN_CONNECTIONS=CACHE,EVENT_LOG\.$/);
  });

  it('PLAIN_CONNECTIONS names settings only', () => {
    for (const wrong of ['KAFKA', 'SQL,', 'SQL KAFKA', 'PSP_BASE_URL', 'sql', 'SQLX'])
      expect(() => configOf({ PLAIN_CONNECTIONS: wrong }), wrong).toThrow('PLAIN_CONNECTIONS');
    expect(configOf({ PLAIN_CONNECTIONS: acceptableSettings.join(',') })).toBeDefined();
  });

  it('are not made weak by options of Node.js', () => {
    const unchecked = { ...production, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    expect(judged({}, unchecked).fault).toContain('NODE_TLS_REJECT_UNAUTHORIZED');
  });

  it('P-111: webhooks of merchants and channels go to https addresses of the Internet only', () => {
    expect([webhookTargets(production), webhookTargets({})]).toEqual(['public', 'any']);
    expect(targetProblem('http://merchant.example/', webhookTargets(production))).toContain('https://');
    expect(targetProblem('https://merchant.example/', webhookTargets(production))).toBeUndefined();
  });

  it('meridian doctor says what a start would refuse, and warns of what is accepted', () => {
    const found = (given: Readonly<Record<string, string>>) =>
      checkSettings({ ...production, ...given }).findings.filter(({ detail }) => detail.includes(host));
    const [name, [plain]] = ['SQL', addresses.SQL];
    expect(found({ [name]: plain })).toEqual([
      expect.objectContaining({ check: 'settings', state: 'failed', detail: expect.stringContaining(name) }),
    ]);
    expect(found({ [name]: plain, PLAIN_CONNECTIONS: name })).toEqual([
      expect.objectContaining({ state: 'warning', detail: expect.stringContaining('PLAIN_CONNECTIONS') }),
    ]);
    expect(JSON.stringify(found({ [name]: plain }))).not.toContain(secret);
  });
});
