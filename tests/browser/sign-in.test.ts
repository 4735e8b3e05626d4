import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, type RunningPlatform, startProgram } from '../main-job/running-platform.js';
import { violations } from './axe.js';
import { chromium, howToInstall, skipped, why } from './chromium.js';
import { launch, serviceWorkers } from './open-page.js';
import { audiences, type OpenIdProvider, prefix, startOpenIdProvider } from './openid-provider.js';
import { picture } from './picture.js';

/** By account; the provider asks for a name and takes any password. */
const people: Readonly<Record<string, readonly string[]>> = {
  siv: ['desk'],
  fia: ['finance', 'payouts'],
  gus: ['customer'],
  olle: ['operator', 'customer'],
};

// It changes settings: OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_AUDIENCE_PARAMETER, JWKS_URL, TOKEN_ISSUER and both
// audiences, for a platform of its own.
describe.skipIf(skipped)(`sign-in at an OpenID provider${why}`, { timeout: 120_000 }, () => {
  let data: string;
  let platform: RunningPlatform;
  let provider: OpenIdProvider;
  let browser: Browser;
  let hosts: { readonly public: string; readonly internal: string };
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    if (chromium === undefined) throw new Error(`CI needs a Chromium: ${howToInstall}.`);
    data = await mkdtemp(join(tmpdir(), 'meridian-sign-in-'));
    const ports = [await freePort(), await freePort()] as const;
    hosts = { public: `http://localhost:${ports[0]}`, internal: `http://localhost:${ports[1]}` };
    provider = await startOpenIdProvider(
      await freePort(),
      Object.values(hosts),
      (name) => people[name] ?? [],
    );
    platform = await startProgram('up', {
      data,
      args: ['--drivers', '0'],
      ports,
      env: {
        NODE_ENV: 'test',
        JWKS_URL: `${provider.issuer}/jwks`,
        TOKEN_ISSUER: provider.issuer,
        TOKEN_AUDIENCE: audiences.public,
        INTERNAL_TOKEN_AUDIENCE: audiences.internal,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: provider.clientId,
        OIDC_AUDIENCE_PARAMETER: 'resource',
      },
    });
    browser = await launch(chromium);
  }, 240_000);
  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    await browser?.close();
    await platform?.stop();
    await provider?.close();
    await rm(data, { recursive: true, force: true });
  });

  /** A person who has nothing to do with those before. */
  async function open(address: string, width = 1440): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      locale: 'en',
      serviceWorkers,
    });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(address);
    return page;
  }
  const button = (page: Page, name = 'Sign in') => page.getByRole('button', { name, exact: true }).first();
  /** At the provider: the name, then the consent. */
  async function enter(page: Page, account: string): Promise<void> {
    await page.locator('input[name=login]').fill(account);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  async function signIn(address: string, account: string): Promise<Page> {
    const page = await open(address);
    await button(page).click();
    await enter(page, account);
    await page.getByText(`Signed in as Name of ${account}`).waitFor();
    return page;
  }
  const alert = (page: Page) => page.getByRole('alert').first();

  it('the desk asks for a sign-in, and the person is back at the same address', async () => {
    const address = `${hosts.internal}/staff/#/calendar`;
    const page = await open(address);
    await page.getByText('The staff desk is for hotel staff.').waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'sign-in-desk');
    await button(page).click();
    await page.waitForURL(/\/interaction\//);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await enter(page, 'siv');
    await page.waitForURL(address);
    await page.getByText('Signed in as Name of siv').waitFor();
    await page.getByRole('table').first().waitFor();
    await picture(page, 'signed-in-desk');
    expect(asked.some((url) => url.includes('code='))).toBe(true);
    // The code is in no entry of the history.
    await page.goBack();
    expect(page.url()).not.toContain('code=');
  });

  it('asks with PKCE, state and nonce, for the scopes of the page and its audience', async () => {
    const page = await open(`${hosts.internal}/finance/`);
    const going = page.waitForRequest((request) => request.url().includes('/auth?'));
    await button(page).click();
    const { searchParams: asked } = new URL((await going).url());
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${hosts.internal}/sign-in/`,
      resource: audiences.internal,
      scope: 'openid profile finance payouts',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
    expect(asked.has('client_secret')).toBe(false);
  });

  it('with a prefix before scopes, requests and answers have it, and tokens have scp', async () => {
    const page = await open('about:blank');
    // As OIDC_SCOPE_PREFIX has it; a platform of its own would show the same.
    await page.route('**/v1/sign-in', async (route) => {
      const answer = await route.fetch();
      const how = await answer.json();
      await route.fulfill({ json: { ...how, provider: { ...how.provider, scope_prefix: prefix } } });
    });
    await page.goto(`${hosts.internal}/finance/`);
    const going = page.waitForRequest((request) => request.url().includes('/auth?'));
    await button(page).click();
    expect(new URL((await going).url()).searchParams.get('scope')).toBe(
      `openid profile ${prefix}finance ${prefix}payouts`,
    );
    await enter(page, 'fia');
    await page.getByRole('heading', { name: 'Mismatches' }).waitFor();
    const [session] = JSON.parse(
      (await page.evaluate('sessionStorage.getItem("meridian-sign-in")')) as string,
    );
    expect(session.granted).toEqual(['finance', 'payouts']);
    const claims = JSON.parse(Buffer.from(session.accessToken.split('.')[1], 'base64url').toString());
    expect([claims.scope, claims.scp]).toEqual([undefined, ['finance', 'payouts']]);
  });

  it('finance names who signed in, in place of people of the development issuer', async () => {
    const page = await signIn(`${hosts.internal}/finance/#/payments`, 'fia');
    await page.getByRole('heading', { name: 'Payments' }).first().waitFor();
    expect(await page.getByText('demo-finance').count()).toBe(0);
    await picture(page, 'signed-in-finance');
  });

  it('guests look at hotels without a sign-in, and need one for their reservations', async () => {
    const page = await open(`${hosts.public}/stay/`);
    await page.locator('.hotel-list li').first().waitFor();
    await picture(page, 'signed-out-stay');
    await page.getByRole('link', { name: 'My reservations' }).click();
    await page.getByText('Sign in to reserve rooms').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'sign-in-stay-phone');
    await button(page).click();
    await enter(page, 'gus');
    await page.waitForURL(`${hosts.public}/stay/#/reservations`);
    await page.getByText('Signed in as Name of gus').waitFor();
    expect(await page.getByText('Sign in to reserve rooms').count()).toBe(0);
  });

  it('a guest who reserves signs in before the form, and is back at the form of the same offer', async () => {
    const page = await open(`${hosts.public}/stay/#/hotels/h00001`, 390);
    const offers = page.getByRole('button', { name: 'Reserve' });
    await offers.nth(1).click();
    await page.getByText('Sign in to reserve rooms').waitFor();
    expect(await page.locator('.guest-form').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await picture(page, 'sign-in-before-form-phone');
    await page.getByRole('button', { name: 'Back without signing in' }).click();
    const all = await offers.count();
    await offers.nth(1).click();
    await page.locator('.sign-in-card').getByRole('button', { name: 'Sign in' }).click();
    await enter(page, 'gus');
    await page.locator('.guest-form').waitFor();
    // The other offers have their buttons, so it is the one that was chosen.
    expect([await page.locator('.guest-form').count(), await offers.count()]).toEqual([1, all - 1]);
    expect(page.url()).toContain('/stay/#/hotels/h00001');
    // It comes back that once.
    expect(await page.evaluate('sessionStorage.getItem("meridian-typed-guest")')).toBeNull();
    await page.reload();
    await expect.poll(() => offers.count()).toBe(all);
    await offers.nth(1).click();
    await page.getByLabel('Name').fill('Gus Guest');
    await page.getByLabel('E-mail', { exact: false }).fill('gus@example.com');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.waitForURL(/#\/pay\//);
  });

  it('what was typed is there again after a sign-in that ended in the form', async () => {
    provider.lifetimeS = 3;
    provider.givesRefreshTokens = false;
    const page = await signIn(`${hosts.public}/stay/#/hotels/h00001`, 'gus');
    await page.getByRole('button', { name: 'Reserve' }).first().click();
    await page.getByLabel('Name').fill('Gus Guest');
    await page.getByLabel('E-mail', { exact: false }).fill('gus@example.com');
    await page.waitForTimeout(3_500);
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByText('Your sign-in has ended.').first().waitFor();
    provider.lifetimeS = 600;
    provider.givesRefreshTokens = true;
    await button(page, 'Sign in again').click();
    await page.getByText('Signed in as Name of gus').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Gus Guest');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.waitForURL(/#\/pay\//);
  });

  it('the map is open to all; a signed-in person has it as it was', async () => {
    const address = `${hosts.public}/?view=35.89900,14.51300,15.00`;
    const page = await open(address);
    await page.getByText('Sign in to navigate').waitFor();
    await picture(page, 'signed-out-map');
    await button(page).click();
    await enter(page, 'olle');
    await page.getByText('Signed in as Name of olle').waitFor();
    expect(page.url()).toContain('view=35.89900,14.51300,15.00');
    const fleet = await page.waitForResponse((answer) => answer.url().includes('/v1/fleet'));
    expect(fleet.status()).toBe(200);
    await picture(page, 'signed-in-map');
  });

  it('tells who lacks the scope of a page', async () => {
    const page = await signIn(`${hosts.internal}/operations/`, 'siv');
    await page
      .getByText('Your account has no access to the operations page. Ask for the scope “operator”.')
      .waitFor();
    const finance = await signIn(`${hosts.internal}/finance/`, 'siv');
    await finance.getByText('Your account may not do this. Ask for the scope “finance”.').waitFor();
    await picture(finance, 'denied-finance');
  });

  it('tells of a refused consent, and leads back', async () => {
    const page = await open(`${hosts.internal}/staff/#/refunds`);
    await button(page).click();
    await page.getByRole('link', { name: '[ Cancel ]' }).click();
    await alert(page).getByText('The sign-in was canceled or refused.').waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'sign-in-refused');
    expect(page.url()).toBe(`${hosts.internal}/sign-in/`);
    await page.getByRole('link', { name: 'Back without signing in' }).click();
    await page.waitForURL(`${hosts.internal}/staff/#/refunds`);
  });

  it('refuses an answer with another state, and a code that this tab did not ask for', async () => {
    const page = await open(`${hosts.internal}/staff/`);
    await page.route(/\/auth\?/, (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('state', 'another');
      return route.continue({ url: url.href });
    });
    await button(page).click();
    await enter(page, 'siv');
    await alert(page).getByText('This answer does not belong to a sign-in of this tab.').waitFor();
    expect(await page.evaluate('sessionStorage.getItem("meridian-sign-in")')).toBeNull();
    await page.goto(`${hosts.internal}/sign-in/?code=stolen&state=stolen`);
    await alert(page).getByText('This answer does not belong to a sign-in of this tab.').waitFor();
  });

  it('renews a token that ends, and signs the person out when it cannot', async () => {
    provider.lifetimeS = 2;
    const page = await signIn(`${hosts.internal}/staff/#/today`, 'siv');
    await page.waitForTimeout(2_500);
    const renewed = page.waitForRequest((request) => request.postData()?.includes('refresh_token') === true);
    await page.getByRole('link', { name: 'Refunds' }).click();
    await renewed;
    await page.getByText('Signed in as Name of siv').waitFor();
    expect(await alert(page).count()).toBe(0);

    provider.givesRefreshTokens = false;
    const other = await signIn(`${hosts.internal}/staff/#/today`, 'siv');
    await other.waitForTimeout(2_500);
    await other.getByRole('link', { name: 'Refunds' }).click();
    await other.getByText('Your sign-in has ended.').first().waitFor();
    await picture(other, 'sign-in-ended');
    provider.lifetimeS = 600;
    provider.givesRefreshTokens = true;
    // The session at the provider still lives: one click, and back at the same address.
    await button(other, 'Sign in again').click();
    await other.getByText('Signed in as Name of siv').waitFor();
    expect(other.url()).toBe(`${hosts.internal}/staff/#/refunds`);
  });

  it('signs out here and at the provider', async () => {
    const page = await signIn(`${hosts.internal}/staff/#/refunds`, 'siv');
    await button(page, 'Sign out').click();
    await page.getByRole('button', { name: /^Yes/ }).click();
    await page.waitForURL(`${hosts.internal}/staff/#/refunds`);
    await page.getByText('The staff desk is for hotel staff.').waitFor();
    expect(await page.evaluate('sessionStorage.getItem("meridian-sign-in")')).toBeNull();
    await button(page).click();
    await page.locator('input[name=login]').waitFor();
  });

  it('tells of a wrong clock and of a provider that does not answer', async () => {
    const page = await open(`${hosts.internal}/staff/`);
    await button(page).click();
    await page.locator('input[name=login]').waitFor();
    await page.clock.setFixedTime(Date.now() + 3 * 3_600_000);
    await enter(page, 'siv');
    await alert(page).getByText('The clock of this device is wrong').waitFor();
    const other = await open(`${hosts.internal}/staff/`);
    await other.route(`${provider.issuer}/**`, (route) => route.abort());
    await button(other).click();
    await alert(other).getByText('The sign-in service does not answer.').waitFor();
  });

  it('pages may reach the provider, and no other host', async () => {
    for (const address of [`${hosts.public}/`, `${hosts.internal}/finance/`]) {
      const policy = (await fetch(address)).headers.get('content-security-policy');
      expect(policy).toContain(`connect-src 'self' ${provider.issuer};`);
    }
    expect(await (await fetch(`${hosts.public}/v1/sign-in`)).json()).toEqual({
      method: 'openid_connect',
      provider: {
        issuer: provider.issuer,
        client_id: provider.clientId,
        scopes: ['openid', 'profile'],
        scope_prefix: '',
        audience: { parameter: 'resource', value: audiences.public },
      },
    });
    expect((await fetch(`${hosts.public}/v1/development/session`, { method: 'POST' })).status).toBe(404);
  });
});
