import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import { meridian, type RunningPlatform, startPlatform } from '../main-job/running-platform.js';
import { chromium, howToInstall, skipped, why } from './chromium.js';
import { launch } from './open-page.js';
import { picture } from './picture.js';

const today = new Date().toISOString().slice(0, 10);
const hotel = 'h00003';
const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

describe.skipIf(skipped)(`the staff desk: rooms, groups and guests${why}`, () => {
  let data: string;
  let platform: RunningPlatform;
  let browser: Browser;
  let page: Page;
  const trouble: string[] = [];

  const open = async (address: string, view = desktop): Promise<Page> => {
    const opened = await browser.newPage({ viewport: view });
    opened.setDefaultTimeout(20_000);
    opened.on('pageerror', (error) => trouble.push(error.message));
    opened.on('console', (message) => {
      if (message.type() === 'error' && !/ (403|404|409|422) /.test(message.text()))
        trouble.push(message.text());
    });
    await opened.goto(`${platform.internalUrl}/staff/#/${address}`);
    return opened;
  };
  const sessionOf = async (sub: string, scope: string, base = platform.internalUrl): Promise<string> => {
    const answer = await fetch(`${base}/v1/development/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sub, scope }),
    });
    return ((await answer.json()) as { token: string }).token;
  };
  const ask = async <Answer>(token: string, path: string, body?: object, method = 'PUT') => {
    const base = path.startsWith('/v1/staff') ? platform.internalUrl : platform.url;
    const answer = await fetch(base + path, {
      method: body === undefined ? 'GET' : method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, json: (text === '' ? null : JSON.parse(text)) as Answer };
  };
  /** The page of somebody with this token, in place of the one that the page asks for. */
  const openAs = async (options: readonly string[], address: string): Promise<Page> => {
    const { stdout, stderr } = await meridian(['token', '--sub', 'ann', ...options], { MERIDIAN_DATA: data });
    const token = stdout.trim();
    if (token === '') throw new Error(stderr);
    const opened = await open('none');
    await opened.route('**/v1/development/session', (route) =>
      route.fulfill({ json: { token, expires_at: new Date(Date.now() + 3_600_000).toISOString() } }),
    );
    await opened.goto('about:blank');
    await opened.goto(`${platform.internalUrl}/staff/#/${address}`);
    return opened;
  };
  const room = (number: string, on: Page = page) => on.locator('.room', { hasText: `Room ${number}` });
  const stateOf = (number: string, on: Page = page) => room(number, on).locator('.status').innerText();

  beforeAll(async () => {
    if (chromium === undefined) throw new Error(`CI needs a Chromium: ${howToInstall}.`);
    data = await mkdtemp(join(tmpdir(), 'meridian-desk-pages-'));
    platform = await startPlatform(data, ['--drivers', '0'], { NODE_ENV: 'test' });
    browser = await launch(chromium);
  }, 240_000);

  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
    await rm(data, { recursive: true, force: true });
  });

  it('a room is changed by its button, several together; a reload shows the same', async () => {
    page = await open('housekeeping');
    await page.getByRole('combobox', { name: 'Hotel' }).selectOption(hotel);
    await room('101').getByRole('button', { name: 'Mark inspected Room 101' }).click();
    await page.getByText('1 room is inspected now.').waitFor();
    for (const number of ['102', '103', '104']) await room(number).getByRole('checkbox').check();
    await page.getByLabel('Reason (optional, for the audit log)').fill('Water damage');
    await page.getByRole('button', { name: 'Mark dirty', exact: true }).dblclick();
    await page.getByText('3 rooms are dirty now.').waitFor();
    await page.reload();
    await page.getByText('Room 101', { exact: true }).waitFor();
    expect(page.url()).toContain(`#/housekeeping/${hotel}`);
    expect(await Promise.all(['101', '102', '103', '104'].map((number) => stateOf(number)))).toEqual([
      'Inspected',
      'Dirty',
      'Dirty',
      'Dirty',
    ]);
    // The filter says how many there are; floor, number and type narrow it further.
    await page.getByRole('button', { name: 'Dirty 3' }).click();
    await expect.poll(() => page.locator('.room').count()).toBe(3);
    await page.getByLabel('Room number').fill('103');
    await expect.poll(() => page.locator('.room').count()).toBe(1);
    await page.getByLabel('Room number').fill('999');
    await page.getByText('No rooms match.').waitFor();
    await page.getByLabel('Room number').fill('');
    await page.getByRole('combobox', { name: 'Floor' }).selectOption('1');
    await expect.poll(() => page.locator('.room').count()).toBe(3);
    await page.getByRole('button', { name: /^All / }).click();
    await picture(page, 'desk-rooms');
    const token = await sessionOf('demo-staff', 'desk');
    const { json } = await ask<{ actions: { reason: string; detail: { roomID: string } }[] }>(
      token,
      `/v1/staff/actions?subject=${hotel}`,
    );
    // Once each, although the button was clicked twice.
    expect(json.actions.filter(({ reason }) => reason === 'Water damage')).toHaveLength(3);
  });

  it('two people change the same rooms: the later one reads what happened, and undoes nothing', async () => {
    const other = await open(`housekeeping/${hotel}`);
    await room('102', other).getByRole('button', { name: 'Mark clean Room 102' }).click();
    await other.getByText('1 room is clean now.').waitFor();
    await room('102', other).getByRole('button', { name: 'Mark inspected Room 102' }).click();
    await other.getByText('1 room is inspected now.').waitFor();
    await other.close();
    // Here both rooms still look dirty.
    expect([await stateOf('102'), await stateOf('103')]).toEqual(['Dirty', 'Dirty']);
    await room('102').getByRole('checkbox').check();
    await room('103').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Mark clean', exact: true }).click();
    await page.getByText('1 room is clean now.').waitFor();
    await page
      .getByText('Room 102 was not changed. Somebody else has changed the room: it is inspected now.')
      .waitFor();
    await expect.poll(() => stateOf('102')).toBe('Inspected');
    expect(await stateOf('103')).toBe('Clean');
    expect(await room('102').getByRole('checkbox').isChecked()).toBe(true);
    await picture(page, 'desk-room-conflict');
  });

  it('a late answer about other rooms never replaces a newer one', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/rooms?*status=occupied*', async (route) => {
      await held;
      await route.fallback();
    });
    await page.getByRole('button', { name: /^Occupied / }).click();
    await page.getByRole('button', { name: 'Dirty 1' }).click();
    await expect.poll(() => page.locator('.room').count()).toBe(1);
    const late = page.waitForResponse(/status=occupied/);
    release();
    await (await late).finished();
    await page.evaluate(`fetch('/v1/status').then((answer) => answer.text())`);
    expect(await page.locator('.room').count()).toBe(1);
    await page.close();
  });

  it('a group is created, changed and released; what does not fit is refused and holds nothing', async () => {
    page = await open(`groups/${hotel}`);
    await page.getByText('No groups yet.').waitFor();
    await page.getByRole('link', { name: 'New group' }).click();
    await page.getByLabel('Name of the group').fill('Wedding Borg');
    await page.getByLabel('Code for its guests').fill('borg27');
    await page.getByLabel('First night').fill(addDays(today, 20));
    await page.getByLabel('Last night').fill(addDays(today, 60));
    await page.getByText('A group has 1 to 31 nights.').waitFor();
    await page.getByLabel('Last night').fill(addDays(today, 22));
    await page.getByLabel('Rooms, Double').fill('50');
    await page.getByLabel('Reason (for the audit log)').fill('Contract 7');
    await page.getByRole('button', { name: 'Hold rooms' }).click();
    // The release is after the last night: this page sees it before it is sent.
    await page.getByText('The rooms are held until a time between now and the last night.').waitFor();
    await page.getByLabel(/^Held until/).fill(`${addDays(today, 10)}T18:00`);
    await page.getByRole('button', { name: 'Hold rooms' }).click();
    const full = [20, 21, 22].map((days) => addDays(today, days)).join(', ');
    await page.getByText(`Not enough rooms are available: ${full}.`).waitFor();
    await picture(page, 'desk-group-refused');
    await page.getByLabel('Rooms, Double').fill('4');
    await page.getByRole('button', { name: 'Hold rooms' }).dblclick();
    await page.getByRole('heading', { name: 'Wedding Borg' }).waitFor();
    expect(await page.locator('.block-nights td').allInnerTexts()).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^0\/4\s+4 left$/)),
    );
    const guest = { name: 'Ada Lovelace', email: 'ada@example.org', guests: 1 };
    const reserved = await ask(
      await sessionOf('ada', 'customer', platform.url),
      '/v1/reservations',
      {
        ...{ reservationID: randomUUID(), hotelID: hotel, roomTypeID: 't01', roomCount: '1', guest },
        ...{ startDate: addDays(today, 20), endDate: addDays(today, 20), blockCode: 'BORG27' },
      },
      'POST',
    );
    expect(reserved.status).toBe(201);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Name of the group').fill('Wedding Borg & Vella');
    await page.getByLabel('Rooms, Double').fill('60');
    await page.getByLabel('Reason (for the audit log)').fill('They rang');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText(`Not enough rooms are available: ${full}.`).waitFor();
    await page.getByLabel('Rooms, Double').fill('3');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The group was changed.').waitFor();
    await page.getByRole('heading', { name: 'Wedding Borg & Vella' }).waitFor();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    const first = page.locator('.block-nights td').first();
    await expect.poll(() => first.innerText()).toMatch(/^1\/3\s+2 left$/);
    await picture(page, 'desk-group');
    await page.getByRole('button', { name: 'Release the rest' }).click();
    await page.getByText('8 room nights return to general sale. Reservations stay as they are.').waitFor();
    await page.getByLabel('Reason (for the audit log)').fill('The group is complete');
    await page.getByRole('button', { name: 'Yes, release' }).click();
    await page.getByText(/^released /).waitFor();
    await expect.poll(() => first.innerText()).toMatch(/^1\/1\s+0 left$/);
    expect(await page.getByRole('button', { name: 'Change' }).count()).toBe(0);
  });

  it('a guest is corrected and erased; each refusal is one sentence', async () => {
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await page.getByText('ada@example.org').waitFor();
    await page.getByRole('button', { name: 'Correct' }).click();
    await page.getByLabel('Name').fill('Ada King');
    await page.getByLabel('E-mail').fill('ada');
    await page.getByRole('button', { name: 'Save guest' }).click();
    await page.getByText('Enter an e-mail address such as anna@example.org.').waitFor();
    await page.getByLabel('E-mail').fill('');
    await page.getByLabel('Guests').fill('99');
    await page.getByRole('button', { name: 'Save guest' }).click();
    await page.getByText(/^The rooms sleep at most \d+\.$/).waitFor();
    await page.getByLabel('Guests').fill('1');
    await page.getByRole('button', { name: 'Save guest' }).dblclick();
    await page.getByText('The guest was saved.').waitFor();
    await page.reload();
    await page.getByText('Ada King').waitFor();
    expect(await page.locator('.facts dd').allInnerTexts()).toEqual(['Ada King', '–', '–', '1']);
    await picture(page, 'desk-guest');
    await page.getByRole('button', { name: 'Erase personal data' }).click();
    await page.locator('.guest').getByLabel('Reason (for the audit log)').fill('Asked by letter');
    await page.getByRole('button', { name: 'Yes, erase' }).click();
    await page.getByText('No name or address is stored: none was given, or it was erased.').waitFor();
    await page.getByRole('link', { name: 'Staff activity' }).click();
    await page.getByText('Asked by letter').waitFor();
    const log = await page.locator('main').innerText();
    expect(log).toContain('Set guest');
    expect(log).not.toContain('Ada');
    await page.close();
  });

  it('H-111: staff of one hotel see it alone; a token without the scope is told so', async () => {
    const single = await openAs(['--scope', 'desk', '--property', hotel], 'housekeeping');
    await single.getByText('Room 101', { exact: true }).waitFor();
    expect(await single.getByRole('combobox', { name: 'Hotel' }).locator('option').count()).toBe(1);
    await room('104', single)
      .getByRole('button', { name: /^Mark clean/ })
      .click();
    await single.getByText('1 room is clean now.').waitFor();
    await single.getByRole('link', { name: 'Audit log' }).click();
    await single.getByText('Water damage').first().waitFor();
    expect(await single.locator('main').innerText()).toContain('Release group block');
    await single.goto(`${platform.internalUrl}/staff/#/housekeeping/h00004`);
    await single.getByText('No hotel has this id.').waitFor();
    await single.close();
    const stranger = await openAs(['--scope', 'finance'], 'housekeeping');
    for (const address of ['housekeeping', `groups/${hotel}`, 'actions']) {
      await stranger.goto(`${platform.internalUrl}/staff/#/${address}`);
      await stranger.locator('main').getByRole('alert').first().waitFor();
      expect(await stranger.locator('main').getByRole('alert').first().innerText()).toBe(
        'Your account has no access to the staff desk. Ask for the scope “desk”.',
      );
      expect(await stranger.locator('.room, .tile, td').count()).toBe(0);
    }
    await stranger.close();
  });

  it('fits a phone of 390 by 844; every control has a name; the pages have no fault', async () => {
    const small = await open(`housekeeping/${hotel}`, phone);
    for (const [address, text, picked] of [
      [`housekeeping/${hotel}`, 'Room 101', 'phone-rooms'],
      [`groups/${hotel}`, 'Wedding Borg & Vella', 'phone-groups'],
      [`groups/${hotel}/new`, 'New group', 'phone-new-group'],
    ] as const) {
      await small.goto(`${platform.internalUrl}/staff/#/${address}`);
      await small.getByText(text, { exact: true }).first().waitFor();
      if (text === 'Room 101') await small.getByLabel('Select all on this page').check();
      expect(await small.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      const nameless = await small.evaluate(`[...document.querySelectorAll('button, input, select, a[href]')]
        .filter((control) => !control.getAttribute('aria-label') && !control.textContent.trim() &&
          ![...(control.labels ?? [])].some((label) => label.textContent.trim()))
        .map((control) => control.outerHTML)`);
      expect(nameless).toEqual([]);
      await picture(small, picked);
    }
    await small.close();
    expect(trouble).toEqual([]);
  });
});
