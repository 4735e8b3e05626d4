import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperationsAnswer } from '#schemas/http/operations.js';
import * as english from '../../web/operations/messages.en.js';
import { type RunningPlatform, startPlatform } from '../main-job/running-platform.js';
import { tabFaults } from './axe.js';
import { chromium, howToInstall, skipped, why } from './chromium.js';
import { launch, serviceWorkers } from './open-page.js';
import { picture } from './picture.js';
import { rawIn, wordsOf } from './words.js';

const views = ['overview', 'lags', 'closures', 'requests', 'customers', 'load'] as const;
const desktop = { width: 1440, height: 900 };

describe.skipIf(skipped)(`the operations page${why}`, { timeout: 120_000 }, () => {
  let data: string;
  let platform: RunningPlatform;
  let browser: Browser;
  let operator: string;
  const trouble: string[] = [];

  beforeAll(async () => {
    if (chromium === undefined) throw new Error(`CI needs a Chromium: ${howToInstall}.`);
    data = await mkdtemp(join(tmpdir(), 'meridian-operations-page-'));
    const env = { NODE_ENV: 'test', API_KEYS: 'optional' };
    platform = await startPlatform(data, ['--drivers', '50', '--seed', '1'], env);
    browser = await launch(chromium);
    operator = await platform.token('olle', 'operator');
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
    await rm(data, { recursive: true, force: true });
  });

  const blank = async (language = 'en'): Promise<Page> => {
    const page = await browser.newPage({ viewport: desktop, locale: language, serviceWorkers });
    page.setDefaultTimeout(30_000);
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('console', (message) => {
      const isMeant = /status of (403|500|503)|ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(message.text());
      if (message.type() === 'error' && !isMeant) trouble.push(message.text());
    });
    return page;
  };
  const show = (page: Page, view: string) => page.goto(`${platform.internalUrl}/operations/#/${view}`);
  const open = async (view: string, language?: string): Promise<Page> => {
    const page = await blank(language);
    await show(page, view);
    await page.locator('.ops-updated').waitFor();
    return page;
  };
  const manage = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(platform.internalUrl + path, {
      method,
      headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
    return answer.status === 204 ? null : await answer.json();
  };
  /** The page gets this answer, changed. */
  const answering = async (page: Page, change: (answer: OperationsAnswer) => OperationsAnswer) => {
    const answer = (await manage('GET', '/v1/operations')) as OperationsAnswer;
    await page.route('**/v1/operations', (route) => route.fulfill({ json: change(answer) }));
  };

  it('a running platform answers as the contract says', async () => {
    const answer = await manage('GET', '/v1/operations');
    expect([...Value.Errors(OperationsAnswer, answer)]).toEqual([]);
    expect(answer).toMatchObject({
      program: {
        name: 'up',
        api_keys: 'optional',
        public_url: platform.url.replace('127.0.0.1', 'localhost'),
      },
      map: { release_id: expect.stringMatching(/^[0-9a-f]{16}$/) as string },
    });
    // On a busy machine a reader may fall behind for a moment.
    await expect
      .poll(() => manage('GET', '/v1/operations'), { timeout: 90_000 })
      .toMatchObject({ readiness: { ready: true } });
    const { map } = answer as OperationsAnswer;
    expect(map.metrics.map(({ mode }) => mode)).toEqual(['driving', 'bicycling', 'walking', 'truck']);
    // A group is seen once it has committed something.
    await expect
      .poll(
        async () => {
          const { lags } = (await manage('GET', '/v1/operations')) as OperationsAnswer;
          return lags.groups.map(({ group }) => group);
        },
        { timeout: 90_000 },
      )
      .toEqual(expect.arrayContaining(['location-writer', 'matching', 'traffic']));
  });

  it('says what the state is; every figure leads to its view, which has an address', async () => {
    const page = await open('overview');
    await page.getByText('Ready', { exact: true }).waitFor();
    await page.getByText('Whole platform').waitFor();
    await page.getByText(/^Cars: (?:[\d,]+|empty roads)$/).waitFor();
    await picture(page, 'operations-overview');
    for (const [tile, view, title] of [
      ['Largest lag', 'lags', 'Lags of consumer groups'],
      ['Closures and slow roads', 'closures', 'Closures and slow roads'],
      ['Fullest queue', 'requests', 'Requests'],
      ['Active drivers', 'load', 'Map of load'],
    ] as const) {
      await page.getByRole('link', { name: tile }).click();
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
      expect(page.url()).toContain(`#/${view}`);
      await page.reload();
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
      await page.goBack();
      await page.getByText('Ready', { exact: true }).waitFor();
    }
    await page.close();
  });

  it('has the requests that were just made, with their refusals, and after a reload, too', async () => {
    const page = await open('requests');
    const row = page.locator('tr', { hasText: 'GET /v1/autocomplete' });
    expect(await row.count()).toBe(0);
    for (let i = 0; i < 3; i++) await fetch(`${platform.url}/v1/autocomplete`);
    for (let i = 0; i < 9; i++) await fetch(`${platform.url}/v1/autocomplete?input=Valletta`);
    await row.waitFor();
    await page.reload();
    await row.waitFor();
    // Rate, failed, refused, median, 99th percentile.
    expect(await row.locator('td').allInnerTexts()).toEqual([
      expect.stringMatching(/^[\d.]+\/s$/),
      '0%',
      '25%',
      expect.stringMatching(/^[\d.]+ (?:m?s)$/),
      expect.stringMatching(/^[\d.]+ (?:m?s)$/),
    ]);
    await page.getByText('Route searches').waitFor();
    await picture(page, 'operations-requests', { fullPage: true });
    await page.close();
  });

  it('lists a closure with its reason, as text, and leads to it on the live map', async () => {
    const { incidents } = (await (await fetch(`${platform.url}/v1/incidents`)).json()) as {
      incidents: unknown[];
    };
    const status = (await (await fetch(`${platform.url}/v1/status`)).json()) as {
      tileset: { middle: { lat: number; lng: number } };
    };
    const { middle } = status.tileset;
    await manage('POST', '/v1/incidents', {
      ...{ kind: 'closed', at: middle, expires_in_s: 3_600, note: 'Burst <b>main</b> \u202e' },
    });
    const page = await open('closures');
    const closure = page.locator('.ops-closure', { hasText: 'Burst <b>main</b>' });
    await closure.waitFor();
    expect(await closure.locator('b').count()).toBe(0);
    const told = await closure.innerText();
    expect(told).toContain('operator');
    expect(told).toContain('closed for driving');
    expect(told).toMatch(/since .+ · until .+ · \d+ pieces? of road/);
    const address = new URL((await closure.getByRole('link').getAttribute('href'))!);
    expect(address.port).toBe(new URL(platform.url).port);
    const [lat, lng] = address.searchParams.get('view')!.split(',').map(Number);
    expect(Math.hypot(lat! - middle.lat, lng! - middle.lng)).toBeLessThan(0.01);
    expect(await page.locator('.ops-closure').count()).toBeGreaterThan(incidents.length);
    await page.close();
  });

  it('draws where the drivers are, and says it as text', async () => {
    const page = await open('load');
    await page.locator('.ops-roads').waitFor();
    await expect.poll(() => page.locator('.ops-square').count(), { timeout: 30_000 }).toBeGreaterThan(5);
    await page.getByRole('heading', { name: 'Busiest squares' }).waitFor();
    expect(await page.locator('.ops-busiest li').count()).toBeGreaterThan(3);
    expect(await page.locator('.ops-drawing svg').getAttribute('aria-label')).toMatch(
      /^Map of .+: \d+ drivers in \d+ squares$/,
    );
    // The roads are inside of the drawing.
    const isInside = await page.evaluate<boolean>(`(() => {
      const { x, y, width, height } = document.querySelector('.ops-roads').getBBox();
      const { width: w, height: h } = document.querySelector('.ops-drawing svg').viewBox.baseVal;
      return x >= 0 && y >= 0 && x + width <= w && y + height <= h && width > w / 3;
    })()`);
    expect(isInside).toBe(true);
    await picture(page, 'operations-load', { fullPage: true });
    await page.close();
  });

  it('has the usage of customers by day and month', async () => {
    const page = await open('customers');
    await page.getByText(/^No customers yet\./).waitFor();
    await manage('PUT', '/v1/plans/basic', { perSecond: 100, burst: 100, perMonth: { geocoding: 40 } });
    await manage('PUT', '/v1/customers/acme', { name: 'Acme Ltd', planID: 'basic' });
    const { secret } = (await manage('POST', '/v1/customers/acme/keys', { families: ['geocoding'] })) as {
      secret: string;
    };
    for (let i = 0; i < 10; i++) {
      const address = `${platform.url}/v1/geocode?address=Valletta`;
      expect((await fetch(address, { headers: { 'x-api-key': secret } })).status).toBe(200);
    }
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.locator('main h2').waitFor();
          const row = page.locator('tr', { hasText: 'Acme Ltd' });
          return row.innerText({ timeout: 5_000 }).catch(() => '');
        },
        { timeout: 30_000 },
      )
      .toMatch(/10 of 40 · 25%/);
    await page.getByText('today 10 requests').waitFor();
    await picture(page, 'operations-customers');
    await page.close();
  });

  it('is in Swedish and German, too, without codes', async () => {
    const englishTexts = Object.values(english).filter(
      (text): text is string => typeof text === 'string' && text.length > 12,
    );
    for (const [language, ready] of [
      ['sv', 'Redo'],
      ['de', 'Bereit'],
      ['en', 'Ready'],
    ] as const) {
      const page = await open('overview', language);
      await page.getByText(ready, { exact: true }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      for (const view of views) {
        await show(page, view);
        await page.locator('main h2').first().waitFor({ state: 'attached' });
        const lines = await wordsOf(page);
        // A setting and a path are what they are called.
        const faults = lines.filter((line) => !/API_KEYS|\/v1\//.test(line)).flatMap(rawIn);
        expect.soft(faults, `${language} ${view}`).toEqual([]);
        if (language !== 'en')
          for (const text of englishTexts) expect.soft(lines.join('\n')).not.toContain(text);
      }
      await page.close();
    }
  });

  describe('every state has a look:', () => {
    it('loading, before the first answer', async () => {
      const page = await blank();
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/v1/operations', async (route) => {
        await held;
        await route.continue();
      });
      await show(page, 'overview');
      await page.locator('.skeleton').waitFor();
      expect(await page.locator('.ops-state').count()).toBe(0);
      release();
      await page.getByText('Ready', { exact: true }).waitFor();
      expect(await page.locator('.skeleton').count()).toBe(0);
      await page.close();
    });

    it('not ready, with the reasons', async () => {
      const page = await blank();
      await answering(page, (answer) => ({
        ...answer,
        readiness: {
          ready: false,
          missing: [
            { name: 'event log', reason: 'no space left on device', needed: true },
            { name: 'live cache', reason: 'connection refused', needed: false },
          ],
        },
        lags: { unknown_because: 'The event log did not answer in 2 s.', groups: [] },
      }));
      await show(page, 'overview');
      await page.getByText('Not ready', { exact: true }).waitFor();
      expect(await page.locator('.ops-missing').allInnerTexts()).toEqual([
        'Event log no space left on device',
        'Live cache connection refused',
      ]);
      await picture(page, 'operations-not-ready');
      await show(page, 'lags');
      await page.getByText('The event log did not answer in 2 s.').waitFor();
      await page.close();
    });

    it('empty', async () => {
      const page = await blank();
      await answering(page, (answer) => ({
        ...answer,
        program: { ...answer.program, api_keys: 'off' },
        lags: { unknown_because: null, groups: [] },
        closures: { total: 0, shown: [] },
        requests: { ...answer.requests, operations: [], intervals: [], covered_s: 0 },
        load: { ...answer.load, drivers: 0, squares: [], elsewhere: 0 },
      }));
      for (const [view, text] of [
        ['overview', 'All groups are up to date'],
        ['lags', 'No group has processed anything yet.'],
        ['closures', 'All roads are open.'],
        ['requests', 'No requests yet.'],
        ['customers', /^API keys are off\./],
        ['load', 'No driver has sent a location in the last minute.'],
      ] as const) {
        await show(page, view);
        await page.locator('main').getByText(text).first().waitFor();
      }
      await page.close();
    });

    it('more than is listed: it says how many', async () => {
      const page = await blank();
      await answering(page, (answer) => ({
        ...answer,
        closures: {
          total: 1_234,
          shown: Array.from({ length: 200 }, (_, i) => ({
            ...{ incident_id: `i${i}`, kind: 'closed', source: 'detected', road: `Triq ${i}`, edges: 1 },
            ...{
              at: { lat: 35.9, lng: 14.5 },
              speed_kph: null,
              expires_at: null,
              last_evidence_at: answer.at,
            },
            ...{ started_at: answer.at, evidence: '5 of 5 guided drivers turned away in 40 s' },
          })),
        },
      }));
      await show(page, 'closures');
      await page.getByText('The newest 200 of 1,234 are shown.').waitFor();
      await show(page, 'overview');
      await page.getByText('The newest 200 of 1,234 are shown.').waitFor();
      await page.close();
    });

    const failing = async (answer: (route: Route) => Promise<void>, text: string) => {
      const page = await open('lags');
      await page.locator('td').first().waitFor();
      await page.route('**/v1/operations', answer);
      const alert = page.getByRole('alert');
      await alert.getByText(text).waitFor();
      // The last figures stay, with their time.
      await alert.getByText(/The figures are of /).waitFor();
      expect(await page.locator('td').count()).toBeGreaterThan(3);
      await page.unroute('**/v1/operations');
      await alert.getByRole('button', { name: 'Retry now' }).click();
      await alert.waitFor({ state: 'detached' });
      await page.locator('.ops-updated').waitFor();
      await page.close();
    };

    it('busy: the last figures stay, and it is asked again', () =>
      failing(
        (route) => route.fulfill({ status: 503, headers: { 'retry-after': '0' }, body: '' }),
        'The program is too busy to answer. Retrying.',
      ));

    it('stopped', () =>
      failing((route) => route.abort(), 'The program does not answer. It may be stopped or restarting.'));

    it('broken', () =>
      failing(
        (route) => route.fulfill({ status: 500, body: '' }),
        'The program answered with an error. Retrying.',
      ));

    it('offline, and online again by itself', async () => {
      const page = await open('lags');
      await page.context().setOffline(true);
      await page.getByText(/^This browser is offline\./).waitFor();
      expect(await page.locator('td').count()).toBeGreaterThan(3);
      await page.context().setOffline(false);
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await page.close();
    });

    it('denied: nothing is shown, also of what was known before', async () => {
      const page = await open('lags');
      await page.locator('td').first().waitFor();
      const token = await platform.token('siv', 'desk');
      await page.route('**/v1/operations', (route) =>
        route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${token}` } }),
      );
      const alert = page.getByRole('alert');
      await alert.waitFor();
      expect(await alert.innerText()).toBe(
        'Your account has no access to the operations page. Ask for the scope “operator”.',
      );
      expect(await page.locator('main').innerText()).not.toContain('matching');
      await picture(page, 'operations-denied');
      await page.close();
    });
  });

  it('asks again while it is visible, and nothing while it is hidden', async () => {
    const page = await open('overview');
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/operations')) asked++;
    });
    await expect.poll(() => asked, { timeout: 15_000 }).toBeGreaterThan(0);
    const hide = (hidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await hide(true);
    const before = asked;
    await page.waitForTimeout(7_000);
    expect(asked).toBe(before);
    await hide(false);
    await expect.poll(() => asked, { timeout: 2_000 }).toBeGreaterThan(before);
    await page.close();
  });

  it('Tab reaches every control of each view, in order, on a desktop and a phone', async () => {
    const page = await blank();
    // Squares that change their order while Tab goes through them would be told from a fault by nobody.
    await answering(page, (answer) => answer);
    for (const size of [desktop, { width: 390, height: 844 }]) {
      await page.setViewportSize(size);
      for (const view of views) {
        // A new document: a followed link moves the focus to the view.
        await page.goto('about:blank');
        await show(page, view);
        await page.locator('main h2').first().waitFor({ state: 'attached' });
        expect.soft(await tabFaults(page), `${view} ${size.width}`).toEqual([]);
      }
    }
    await page.close();
  });

  it('the page is not on the public listener', async () => {
    expect((await fetch(`${platform.url}/operations/`)).status).toBe(404);
    expect((await fetch(`${platform.url}/v1/operations`)).status).toBe(404);
    expect((await fetch(`${platform.internalUrl}/operations/`)).status).toBe(200);
  });

  it('nothing was reported on the console, and no policy was violated', () => {
    expect(trouble).toEqual([]);
  });
});
