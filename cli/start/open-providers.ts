import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpsPayablesProvider } from '#payment/payouts/https-payables-provider.js';
import type { PayablesProvider } from '#payment/payouts/payables-provider.js';
import { directPsp, hostedPagePsp } from '#payment/psp/https-psp.js';
import { type PinnedHttps, pinnedHttps } from '#payment/psp/pinned-https.js';
import { openProviders, type Providers } from '#payment/psp/providers.js';
import type { Psp } from '#payment/psp/psp.js';
import { parseRoutingRules } from '#payment/psp/routing-rules.js';
import { stripeLimits } from '#payment/psp/stripe/limits.js';
import { stripePsp } from '#payment/psp/stripe/stripe-psp.js';
import type { ProviderSettings } from '#payment/settings/delivery-settings.js';
import { spawnPsp } from '#payment-simulator/spawn-psp.js';
import { makeFolder } from '#platform/config/folders.js';
import type { Config } from '#platform/config/settings.js';
import type { Context } from '../context.js';
import { CommandFailed, exitCode } from '../exit.js';
import { requireSingleInstance } from '../single-instance.js';
import { paymentSettingsOf } from './payment-settings-of.js';
import type { ListenerUrls } from './serve.js';

interface Opened {
  readonly providers: Providers;
  /** Without it payouts are reserved and wait. */
  readonly payables?: PayablesProvider;
}

interface Own {
  readonly psp: Psp;
  readonly payables: PayablesProvider;
}

/** The providers that the settings name; the simulator when they name none. */
export async function openConfiguredProviders(context: Context, urls: ListenerUrls): Promise<Opened> {
  const { config } = context;
  const stripe = config.STRIPE_API_KEY === undefined ? [] : [openStripe(context, urls.publicUrl)];
  const own = await openOwn(context, urls, stripe.length > 0);
  const all = [...(own === undefined ? [] : [own.psp]), ...stripe];
  const names = all.map(({ name }) => name);
  const rules = config.PAYMENT_ROUTES === undefined ? {} : { rules: rulesOf(config.PAYMENT_ROUTES, names) };
  return {
    providers: openProviders(all, { ...rules, settings: paymentSettingsOf(config).provider }),
    ...(own === undefined ? {} : { payables: own.payables }),
  };
}

function rulesOf(text: string, names: readonly string[]): ReturnType<typeof parseRoutingRules> {
  try {
    return parseRoutingRules(text, names);
  } catch (error) {
    throw new CommandFailed((error as Error).message, exitCode.usage);
  }
}

/** No simulator beside a real provider: it would take orders and no money. */
async function openOwn(context: Context, urls: ListenerUrls, isOther: boolean): Promise<Own | undefined> {
  if (context.config.PSP_BASE_URL !== undefined) return configuredProvider(context, urls.publicUrl);
  return isOther ? undefined : simulatedProvider(context, urls);
}

function openStripe({ config }: Context, publicUrl: string): Psp {
  const { STRIPE_API_KEY: apiKey, STRIPE_WEBHOOK_SECRETS: secrets } = config;
  if (secrets === undefined)
    throw new CommandFailed(
      'STRIPE_API_KEY is set, so STRIPE_WEBHOOK_SECRETS must be set too.',
      exitCode.usage,
    );
  const connect = (baseUrl: string): PinnedHttps =>
    pinnedHttps({
      baseUrl,
      apiKey: apiKey!,
      pins: config.STRIPE_PINS?.split(',') ?? 'unpinned',
      answerBytesMax: stripeLimits.answerBytesMax,
      ...callLimits(config),
      ...authoritiesIn(config.STRIPE_AUTHORITIES),
    });
  const { STRIPE_BASE_URL: baseUrl, STRIPE_FILES_URL: filesUrl } = config;
  return stripePsp(connect(baseUrl), {
    files: connect(filesUrl),
    webhookSecrets: secrets.split(','),
    urls: returnUrls(config.PAYMENT_RETURN_URL, publicUrl),
  });
}

const authoritiesIn = (file: string | undefined): { readonly authorities?: string } =>
  file === undefined ? {} : { authorities: readFileSync(file, 'utf8') };

function returnUrls(configured: string | undefined, publicUrl: string) {
  const back = configured ?? `${publicUrl}/v1/payment-return`;
  return { success: back, failure: back };
}

function configuredProvider(context: Context, publicUrl: string): Own {
  const { config } = context;
  const missing = (['PSP_API_KEY', 'PSP_PINS', 'WEBHOOK_SECRETS'] as const).filter(
    (name) => config[name] === undefined,
  );
  if (missing.length > 0)
    throw new CommandFailed(`PSP_BASE_URL is set, so ${missing.join(', ')} must be set too.`, exitCode.usage);
  const https = pinnedHttps({
    baseUrl: config.PSP_BASE_URL!,
    apiKey: config.PSP_API_KEY!,
    pins: config.PSP_PINS!.split(','),
    ...callLimits(config),
    ...authoritiesIn(config.PSP_AUTHORITIES),
  });
  const secrets = config.WEBHOOK_SECRETS!.split(',').map(signing);
  return { psp: pspOf(context, https, publicUrl, secrets), payables: httpsPayablesProvider(https) };
}

/** For demonstrations: a provider in a separate process, which accepts every card and charges no money. */
async function simulatedProvider(context: Context, { publicUrl, localUrl }: ListenerUrls): Promise<Own> {
  if (process.env['NODE_ENV'] === 'production')
    throw new CommandFailed(
      'PSP_BASE_URL or STRIPE_API_KEY must be set in production: the built-in provider is a simulator.',
      exitCode.usage,
    );
  await requireSingleInstance(context.config, 'simulated payment provider');
  const apiKey = randomBytes(16).toString('hex');
  const secrets = [signing(randomBytes(24).toString('base64url'))];
  const folder = join(context.config.MERIDIAN_DATA, 'psp');
  const simulator = await spawnPsp({
    folder,
    seed: 1,
    apiKey,
    webhookSecrets: secrets,
    webhookUrl: `${localUrl}/v1/psp/webhooks`,
    ...authoritiesOf(context.config.TLS_CERTIFICATE_FILE, folder),
  });
  context.onStop('payment provider', () => simulator.close());
  const { url, controlUrl, pin, certificate } = simulator.addresses;
  context.logger.info('payments go to a simulated provider', { url, controlUrl });
  const limits = callLimits(context.config);
  const https = pinnedHttps({ baseUrl: url, apiKey, pins: [pin], authorities: certificate, ...limits });
  return { psp: pspOf(context, https, publicUrl, secrets), payables: httpsPayablesProvider(https) };
}

function callLimits(config: Config): Pick<ProviderSettings, 'timeoutMs' | 'connectionsMax'> {
  const { timeoutMs, connectionsMax } = paymentSettingsOf(config).provider;
  return { timeoutMs, connectionsMax };
}

/** The simulator trusts the certificate of our own listener, and what this program trusts. */
function authoritiesOf(
  certificateFile: string | undefined,
  folder: string,
): { readonly webhookAuthorities?: string } {
  if (certificateFile === undefined) return {};
  const others = process.env['NODE_EXTRA_CA_CERTS'] ?? '';
  const files = others === '' ? [certificateFile] : [certificateFile, others];
  const webhookAuthorities = join(folder, 'authorities.pem');
  makeFolder(folder);
  writeFileSync(webhookAuthorities, files.map((file) => readFileSync(file, 'utf8')).join('\n'));
  return { webhookAuthorities };
}

function pspOf({ config }: Context, https: PinnedHttps, publicUrl: string, secrets: readonly string[]): Psp {
  const open = config.PSP_STYLE === 'direct' ? directPsp : hostedPagePsp;
  return open(https, returnUrls(config.PAYMENT_RETURN_URL, publicUrl), secrets);
}

/** Standard Webhooks writes secrets as `whsec_` and base64; other texts are used as bytes. */
const signing = (secret: string): string =>
  secret.startsWith('whsec_') ? secret : `whsec_${Buffer.from(secret).toString('base64')}`;
