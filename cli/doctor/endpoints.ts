import type { Config } from '#platform/config/settings.js';
import { checkCertificateFile, checkServerCertificate } from './certificates.js';
import { type Answer, type Finding, failed, finding, ok } from './finding.js';

const answerWithinMs = 5_000;

/** The certificates and the servers on the network that settings name. */
export async function checkEndpoints(config: Config): Promise<readonly Finding[]> {
  const checks: Promise<Finding>[] = [];
  for (const name of ['PSP_AUTHORITIES', 'STRIPE_AUTHORITIES'] as const) {
    const file = config[name];
    if (file !== undefined)
      checks.push(finding(`certificates of ${name}`, () => checkCertificateFile(file), `Correct ${name}.`));
  }
  for (const { name, address, ...options } of secured(config))
    checks.push(
      finding(
        `certificate of ${name}`,
        () => checkServerCertificate(address, options),
        `Correct ${name}, or ask who runs that server.`,
      ),
    );
  const keys = config.JWKS_URL;
  if (keys !== undefined)
    checks.push(finding('token issuer', () => checkKeys(keys), 'Correct JWKS_URL, or start the issuer.'));
  return Promise.all(checks);
}

interface Secured {
  readonly name: string;
  readonly address: string;
  readonly pins?: string | undefined;
  readonly authorities?: string | undefined;
}

function secured(config: Config): readonly Secured[] {
  const found: Secured[] = [];
  const add = (name: string, address: string | undefined, more: Omit<Secured, 'name' | 'address'> = {}) => {
    if (address?.startsWith('https://') === true) found.push({ name, address, ...more });
  };
  add('PSP_BASE_URL', config.PSP_BASE_URL, { pins: config.PSP_PINS, authorities: config.PSP_AUTHORITIES });
  if (config.STRIPE_API_KEY !== undefined)
    for (const name of ['STRIPE_BASE_URL', 'STRIPE_FILES_URL'] as const)
      add(name, config[name], { pins: config.STRIPE_PINS, authorities: config.STRIPE_AUTHORITIES });
  add('RISK_BASE_URL', config.RISK_BASE_URL, { pins: config.RISK_PINS });
  add('JWKS_URL', config.JWKS_URL);
  add('SCHEMA_REGISTRY_URL', config.SCHEMA_REGISTRY_URL);
  add('OBJECTS', /[?&]endpoint=([^&]+)/.exec(config.OBJECTS ?? '')?.[1]);
  return found;
}

async function checkKeys(url: string): Promise<Answer> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) });
  const { keys } = (answer.ok ? await answer.json() : {}) as { readonly keys?: readonly unknown[] };
  const advice = 'Without keys every token is refused: correct JWKS_URL.';
  if (!answer.ok) return failed(`${url} answers ${answer.status}`, advice);
  return Array.isArray(keys) && keys.length > 0
    ? ok(`${url} has ${keys.length} keys`)
    : failed(`${url} has no keys`, advice);
}
