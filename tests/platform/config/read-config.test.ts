import { describe, expect, test } from 'vitest';
import { describeConfig, readConfig } from '#platform/config/read-config.js';
import { settings } from '#platform/config/settings.js';

function faults(environment: Record<string, string>): readonly string[] {
  const outcome = readConfig(settings, environment);
  return outcome.ok ? [] : outcome.faults;
}

describe('F41: configuration by environment', () => {
  test('without settings returns the documented defaults', () => {
    const outcome = readConfig(settings, { PATH: '/bin', HOME: '/root' });
    expect(outcome).toMatchObject({ ok: true });
    if (!outcome.ok) return;
    expect(outcome.config).toMatchObject({
      PORT: 8080,
      INTERNAL_PORT: 8081,
      MERIDIAN_DATA: './data',
      HOST: '127.0.0.1',
      INTERNAL_HOST: '127.0.0.1',
    });
    expect(outcome.config.EVENT_LOG).toBeUndefined();
  });

  test('reads values with their types', () => {
    const outcome = readConfig(settings, {
      PORT: '0',
      EVENT_LOG: 'kafka://127.0.0.1:9092',
      LOG_LEVEL: 'debug',
    });
    expect(outcome.ok && outcome.config).toMatchObject({
      PORT: 0,
      EVENT_LOG: 'kafka://127.0.0.1:9092',
      LOG_LEVEL: 'debug',
    });
  });

  test.each([
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', 'http'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', ' 80'],
    ['EVENT_LOG', 'mysql://x'],
    ['LOG_LEVEL', 'loud'],
    ['JWKS_URL', 'file:///etc/passwd'],
    ['JWKS_URL', 'ftp://keys'],
    ['WEBHOOK_SECRETS', 'short'],
    ['INFLIGHT_MAX', '0'],
    ['INFLIGHT_MAX', '100001'],
  ])('rejects %s=%s with one sentence that names it', (name, value) => {
    const [fault, ...others] = faults({ [name]: value });
    expect(others).toEqual([]);
    expect(fault).toMatch(new RegExp(`^${name} .+: .+\\.$`));
  });

  test.each([
    ['PORT', '0'],
    ['PORT', '65535'],
    ['INFLIGHT_MAX', '1'],
    ['INFLIGHT_MAX', '100000'],
  ])('accepts %s=%s within its limits', (name, value) => {
    expect(faults({ [name]: value })).toEqual([]);
  });

  test('an empty value counts as not set', () => {
    expect(faults({ PORT: '', WEBHOOK_SECRETS: '' })).toEqual([]);
  });

  test.each([
    ['EVENT_LGO', 'EVENT_LOG'],
    ['EVENTLOG', 'EVENT_LOG'],
    ['LOCATION_S', 'LOCATIONS'],
    ['INTERNAL_PROT', 'INTERNAL_PORT'],
    ['MERIDIAN_DATTA', 'MERIDIAN_DATA'],
    ['JWKS_URI', 'JWKS_URL'],
  ])('rejects the typing error %s with a hint at %s', (key, meant) => {
    expect(faults({ [key]: 'x' })).toEqual([`${key} is not a setting; did you mean ${meant}?`]);
  });

  test('rejects an unknown key with our prefix', () => {
    expect(faults({ MERIDIAN_SPEED: '9' })).toEqual(['MERIDIAN_SPEED is not a setting']);
  });

  test.each([
    'PATH',
    'HOME',
    'POST',
    'HOSTNAME',
    'PWD',
    'SHELL',
    'LANG',
    'NODE_ENV',
    'PGHOST',
    'npm_config_cache',
  ])('ignores the foreign key %s', (key) => expect(faults({ [key]: 'x' })).toEqual([]));

  test('C1: no description and no error shows a secret', () => {
    const secret = 'whsec_0123456789abcdef';
    const lines = describeConfig(settings, { WEBHOOK_SECRETS: secret, SQL: 'postgres://u:pw-pw-pw@h/d' });
    expect(JSON.stringify(lines)).not.toMatch(/0123456789abcdef|pw-pw-pw/);
    expect(lines.find(({ name }) => name === 'WEBHOOK_SECRETS')).toMatchObject({
      value: '•••',
      source: 'environment',
    });
    expect(faults({ SQL: 'mysql://u:pw-pw-pw@h/d' }).join()).not.toContain('pw-pw-pw');
    expect(faults({ WEBHOOK_SECRETS: 'pw pw' }).join()).not.toContain('pw pw');
  });

  test('C1: no secret setting has a default', () => {
    for (const [name, setting] of Object.entries(settings)) {
      if ('secret' in setting) expect(setting, name).not.toHaveProperty('fallback');
    }
  });
});
