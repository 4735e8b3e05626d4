import type { Config } from '#platform/config/settings.js';
import { checkCertificateFile, checkServerCertificate } from './certificates.js';
import { checkDiscovery } from './discovery.js';
import { type Answer, type Finding, failed, finding, ok } from './finding.js';
import { securedServers } from './secured-servers.js';

const answerWithinMs = 5_000;

/** The certificates and the servers on the network that settings name. */
export async function checkEndpoints(config: Config): Promise<readonly Finding[]> {
  const checks: Promise<Finding>[] = [];
  for (const name of ['PSP_AUTHORITIES', 'STRIPE_AUTHORITIES', 'TLS_CERTIFICATE_FILE'] as const) {
    const file = config[name];
    if (file !== undefined)
      checks.push(finding(`certificates of ${name}`, () => checkCertificateFile(file), `Correct ${name}.`));
  }
  for (const { name, serversOf } of securedServers(config))
    checks.push(
      finding(
        `certificate of ${name}`,
        async () => worst(await Promise.all((await serversOf()).map(checkServerCertificate))),
        `Correct ${name}, or ask who runs that server.`,
      ),
    );
  const keys = config.JWKS_URL;
  if (keys !== undefined)
    checks.push(finding('token issuer', () => checkKeys(keys), 'Correct JWKS_URL, or start the issuer.'));
  const issuer = config.OIDC_ISSUER;
  if (issuer !== undefined)
    checks.push(
      finding('sign-in', () => checkDiscovery(issuer, config), 'Correct OIDC_ISSUER, or start the provider.'),
    );
  return Promise.all(checks);
}

/** Of several servers at one address the one that needs attention first counts. */
function worst(answers: readonly Answer[]): Answer {
  const [first] = (['failed', 'warning', 'ok'] as const).flatMap((state) =>
    answers.filter((answer) => answer.state === state),
  );
  return first!;
}

async function checkKeys(url: string): Promise<Answer> {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(answerWithinMs) });
  const { keys } = (answer.ok ? await answer.json() : {}) as { readonly keys?: readonly unknown[] };
  const advice = 'Without keys every token is refused: correct JWKS_URL.';
  if (!answer.ok) return failed(`${url} answers ${answer.status}`, advice);
  return Array.isArray(keys) && keys.length > 0
    ? ok(`${url} has ${keys.length} keys`)
    : failed(`${url} has no keys`, advice);
}
