import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import type { RoomPlanView } from '#schemas/http/hotel-desk.js';
import { localAt } from '../../web/hotel/hotel-time.js';
import { browsePage, certificateIn } from '../browse-page.js';
import { eventually } from '../eventually.js';
import { type RunningPlatform, startPlatform } from '../main-job/running-platform.js';
import { faultsOf, tabFaults } from './axe.js';
import { chromium, howToInstall, skipped, why } from './chromium.js';
import { launch } from './open-page.js';
import { picture } from './picture.js';
import { rawIn, wordsOf } from './words.js';

const hotel = 'h00003';
const today = localAt(Date.now(), 'Europe/Malta').slice(0, 10);
const night = (days: number) => addDays(today, days);
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

describe.skipIf(skipped)(`the desk’s room plan and today${why}`, { timeout: 240_000 }, () => {
  let data: string;
  let platform: RunningPlatform;
  let browser: Browser;
  let page: Page;
  let staff: string;
  const trouble: string[] = [];

  const open = async (address: string, view = desktop, options: object = {}): Promise<Page> => {
    const opened = await browser.newPage({ viewport: view, ...options });
    opened.setDefaultTimeout(30_000);
    opened.on('pageerror', (error) => trouble.push(error.message));
    opened.on('console', (message) => {
      if (message.type() === 'error' && !/ (409|422) /.test(message.text())) trouble.push(message.text());
    });
    await opened.goto(`${platform.internalUrl}/staff/#/${address}`);
    return opened;
  };
  const ask = async <Answer>(token: string, method: string, path: string, body?: object): Promise<Answer> => {
    const base = path.startsWith('/v1/staff') ? platform.internalUrl : platform.url;
    const answer = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as Answer;
  };
  /** Books, pays by card, and assigns the room unless it is ''. */
  const book = async (
    name: string,
    first: number,
    last: number,
    room = '',
    at = hotel,
    type = 't01',
  ): Promise<string> => {
    const token = await platform.token(`guest-${randomUUID()}`, 'customer');
    const reservationID = randomUUID();
    await ask(token, 'POST', '/v1/reservations', {
      ...{ reservationID, hotelID: at, roomTypeID: type, roomCount: '1' },
      ...{ startDate: night(first), endDate: night(last), guest: { name, guests: 1 } },
    });
    const path = `/v1/reservations/${reservationID}`;
    const url = await eventually(async () => {
      const { paymentPageURL } = await ask<{ paymentPageURL?: string }>(token, 'GET', `${path}/payment`);
      if (paymentPageURL === undefined) throw new Error('no page yet');
      return paymentPageURL;
    });
    const { status } = await browsePage(url, await certificateIn(data), { number: '4242424242424242' });
    expect(status).toBe(303);
    await eventually(async () =>
      expect((await ask<{ status: string }>(token, 'GET', path)).status).toBe('paid'),
    );
    if (room !== '') await assign(reservationID, room);
    return reservationID;
  };
  const plan = () =>
    ask<RoomPlanView>(staff, 'GET', `/v1/staff/hotels/${hotel}/room-plan?roomTypeID=t01&nights=31`);
  const roomIdOf = async (number: string) =>
    (await plan()).rooms.find((one) => one.number === number)!.roomID;
  const assign = async (id: string, number: string) =>
    ask(staff, 'POST', `/v1/staff/reservations/${id}/rooms`, { roomIDs: [await roomIdOf(number)] });
  /** The room and first night of a stay, as the server has it. */
  const placeOf = async (id: string) => {
    const path = `/v1/staff/reservations/${id}`;
    const { reservation } = await ask<{
      reservation: { startDate: string; roomNumbers?: string[]; supplement?: object };
    }>(staff, 'GET', path);
    return [reservation.roomNumbers?.join() ?? '', reservation.startDate];
  };

  const row = (number: string): Locator =>
    page.locator('.plan tr').filter({ has: page.locator('th', { hasText: new RegExp(`^${number}\\b`) }) });
  const bar = (name: string): Locator => page.locator('button.plan-bar', { hasText: name });
  const drag = async (from: Locator, to: Locator, nights = 0) => {
    const [start, end] = [(await from.boundingBox())!, (await to.boundingBox())!];
    const nightPx = (await page.locator('.plan-track').first().boundingBox())!.width / 14;
    const x = start.x + 12;
    await page.mouse.move(x, start.y + start.height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 20, start.y + 4);
    await page.mouse.move(x + nights * nightPx, end.y + end.height / 2, { steps: 6 });
    await picture(page, 'room-plan-drag');
    await page.mouse.up();
  };
  let numbers: readonly string[];

  beforeAll(async () => {
    if (chromium === undefined) throw new Error(`CI needs a Chromium: ${howToInstall}.`);
    data = await mkdtemp(join(tmpdir(), 'meridian-room-plan-'));
    platform = await startPlatform(data, ['--drivers', '0'], { NODE_ENV: 'test' });
    browser = await launch(chromium);
    staff = await platform.token('siv', 'desk');
    numbers = (await plan()).rooms.map(({ number }) => number);
  }, 240_000);

  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
    await rm(data, { recursive: true, force: true });
  });

  it('today asks one request, however many guests there are, and one for each further page', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        book(`Guest ${at}`, 0, 0, '', 'h00004', at % 2 === 0 ? 't01' : 't02'),
      ),
    );
    const asked: string[] = [];
    page = await open('none');
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('about:blank');
    await page.goto(`${platform.internalUrl}/staff/#/today/h00004`);
    await page.getByRole('heading', { name: 'Arrivals (12)' }).waitFor();
    await page
      .getByRole('link', { name: /^Guest \d/ })
      .nth(9)
      .waitFor();
    const ofStaff = () => asked.filter((path) => path.startsWith('/v1/staff/'));
    expect(ofStaff().toSorted()).toEqual(['/v1/staff/hotels', '/v1/staff/hotels/h00004/today']);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page
      .getByRole('link', { name: /^Guest \d/ })
      .nth(11)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    expect(ofStaff()).toHaveLength(3);
    const names = await page.getByRole('link', { name: /^Guest \d/ }).allInnerTexts();
    expect(new Set(names).size).toBe(12);
    await picture(page, 'desk-today', { fullPage: true });
    await page.close();
  });

  it('a stay is dragged to another room of its type, by mouse', async () => {
    const ada = await book('Ada Lovelace', 3, 4, numbers[0]);
    await book('Bo Ek', 4, 5, numbers[1]);
    page = await open(`plan/${hotel}`);
    await bar('Ada Lovelace').waitFor();
    await picture(page, 'room-plan', { fullPage: true });
    await drag(bar('Ada Lovelace'), row(numbers[2]!));
    await page.getByText(`Ada Lovelace has room ${numbers[2]} now.`).waitFor({ state: 'attached' });
    await row(numbers[2]!).locator('.plan-bar', { hasText: 'Ada Lovelace' }).waitFor();
    expect(await placeOf(ada)).toEqual([numbers[2], night(3)]);
    // The focus goes with the stay.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Ada Lovelace');
  });

  it('a drop on a room that is taken is refused in words, and the stay is back where it was', async () => {
    await drag(bar('Ada Lovelace'), row(numbers[1]!));
    await page
      .getByText(new RegExp(`Room ${numbers[1]} is taken: Bo Ek, .* Ada Lovelace is back where it was\\.`))
      .waitFor();
    await picture(page, 'room-plan-refused');
    expect(await row(numbers[2]!).locator('.plan-bar').count()).toBe(1);
    expect(await page.locator('.plan-ghost, .plan-held').count()).toBe(0);
  });

  it('a room out of order is marked and takes no stay', async () => {
    const operator = await platform.token('olle', 'operator');
    const path = `/v1/hotels/${hotel}/rooms/${await roomIdOf(numbers[3]!)}`;
    const { hotelID: _, roomID: __, ...facts } = await ask<Record<string, unknown>>(operator, 'GET', path);
    await ask(operator, 'PUT', path, {
      ...{ roomTypeID: facts['roomTypeID'], number: facts['number'], floor: facts['floor'] },
      outOfOrder: [{ from: night(2), to: night(3), reason: 'Water damage' }],
    });
    await page.reload();
    await row(numbers[3]!).getByText('Out of order').waitFor();
    await drag(bar('Ada Lovelace'), row(numbers[3]!));
    await page.getByText(`Room ${numbers[3]} is out of order on these nights.`).waitFor();
    expect(await row(numbers[2]!).locator('.plan-bar').count()).toBe(1);
  });

  it('by keyboard: picked up, moved, put back by Escape, dropped by Enter; each step is said', async () => {
    const cy = await book('Cy Twombly', 2, 2);
    await page.reload();
    await bar('Cy Twombly').focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^Cy Twombly is picked up\. Without a room, .* Where it was\.$/).waitFor({
      state: 'attached',
    });
    await page.keyboard.press('ArrowDown');
    const there = new RegExp(`^Room ${numbers[0]}, .* It can be dropped here\\.$`);
    await page.locator('p[role="status"]', { hasText: there }).waitFor({ state: 'attached' });
    await picture(page, 'room-plan-keys');
    await page.keyboard.press('Escape');
    await page.getByText('Cy Twombly is back where it was.').waitFor({ state: 'attached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cy Twombly');
    expect(await placeOf(cy)).toEqual(['', night(2)]);
    await page.keyboard.press('Space');
    for (let n = 0; n < 2; n += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText(`Cy Twombly has room ${numbers[1]} now.`).waitFor({ state: 'attached' });
    expect(await placeOf(cy)).toEqual([numbers[1], night(2)]);
    await row(numbers[1]!).locator('.plan-bar', { hasText: 'Cy Twombly' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cy Twombly');
  });

  it('other nights are dropped with the price first; kept in the room, or put back', async () => {
    const cy = (await plan()).stays.find(({ guestName }) => guestName === 'Cy Twombly')!.reservationID;
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.getByText(/^(The price is|New price) /).waitFor();
    await picture(page, 'room-plan-price');
    await page.getByRole('button', { name: 'Put back' }).click();
    expect(await placeOf(cy)).toEqual([numbers[1], night(2)]);
    await drag(bar('Cy Twombly'), row(numbers[1]!), -1);
    await page.getByText(/^(The price is|New price) /).waitFor();
    await page.getByRole('button', { name: 'Change the stay' }).click();
    await page
      .getByText(/^The stay of Cy Twombly was changed\.$|^The guest can pay /)
      .waitFor({ state: 'attached' });
    await eventually(async () => {
      const [room, first] = await placeOf(cy);
      // A dearer night is paid first, and then the stay is still where it was.
      expect([room, first === night(1) || first === night(2)]).toEqual([numbers[1], true]);
    });
  });

  it('clicks alone do the same, and another type asks its price', async () => {
    await bar('Ada Lovelace').click();
    await page.getByRole('link', { name: 'Open reservation' }).waitFor();
    const other = page.locator('button.plan-type[aria-expanded="false"]').first();
    const type = (await other.locator('strong').innerText()).trim();
    await other.click();
    await page
      .locator('.plan-held')
      .getByText(new RegExp(`^${type}, `))
      .waitFor();
    await page.getByRole('button', { name: 'Drop here' }).click();
    await page.getByText(/^(The price is|New price) .*\d/).waitFor();
    await page.getByRole('button', { name: 'Put back' }).click();
    await bar('Ada Lovelace').click();
    await row(numbers[4]!).locator('td').click();
    await page.getByRole('button', { name: 'Drop here' }).click();
    await row(numbers[4]!).locator('.plan-bar', { hasText: 'Ada Lovelace' }).waitFor();
  });

  it('somebody else is quicker: that is said, and the plan shows what they did', async () => {
    await book('Dan Quick', 3, 3, numbers[5]);
    expect(await row(numbers[5]!).locator('.plan-bar').count()).toBe(0);
    await drag(bar('Ada Lovelace'), row(numbers[5]!));
    await page.getByText(/The plan was loaded again, with what others have changed meanwhile\.$/).waitFor();
    await row(numbers[5]!).locator('.plan-bar', { hasText: 'Dan Quick' }).waitFor();
    await row(numbers[4]!).locator('.plan-bar', { hasText: 'Ada Lovelace' }).waitFor();
    await picture(page, 'room-plan-conflict');
  });

  it('of two people who move the same stay the second one is refused, and undoes nothing', async () => {
    const eve = await book('Eve Twice', 3, 3, numbers[6]);
    await page.reload();
    await bar('Eve Twice').waitFor();
    await assign(eve, numbers[7]!);
    await drag(bar('Eve Twice'), row(numbers[8]!));
    await page.getByText(/^Somebody else has changed this stay or its rooms\./).waitFor();
    await row(numbers[7]!).locator('.plan-bar', { hasText: 'Eve Twice' }).waitFor();
    expect(await placeOf(eve)).toEqual([numbers[7], night(3)]);
    // Other nights, too: the price is asked for, and the change is refused.
    await assign(eve, numbers[6]!);
    await drag(bar('Eve Twice'), row(numbers[7]!), 1);
    await page.getByRole('button', { name: 'Change the stay' }).click();
    await row(numbers[6]!).locator('.plan-bar', { hasText: 'Eve Twice' }).waitFor();
    expect(await placeOf(eve)).toEqual([numbers[6], night(3)]);
    // What is shown now can be moved.
    await drag(bar('Eve Twice'), row(numbers[7]!));
    await row(numbers[7]!).locator('.plan-bar', { hasText: 'Eve Twice' }).waitFor();
    await eventually(async () => expect(await placeOf(eve)).toEqual([numbers[7], night(3)]));
  });

  it('weeks, hotel and type are in the address; a reload shows the same', async () => {
    const first = page.locator('.plan thead th').nth(1);
    const before = await first.innerText();
    await page.getByRole('button', { name: 'Week after' }).click();
    await expect.poll(() => first.innerText()).not.toBe(before);
    const after = await first.innerText();
    expect(page.url()).toContain(`#/plan/${hotel}/${night(7)}`);
    await page.reload();
    await expect.poll(() => first.innerText()).toBe(after);
    await page.locator('button.plan-type[aria-expanded="false"]').first().click();
    await page.locator('button.plan-type[aria-expanded="true"]:not(:has-text("Double"))').waitFor();
    expect(page.url()).toMatch(new RegExp(`#/plan/${hotel}/${night(7)}/t\\d+$`));
    await page.getByRole('button', { name: 'Today', exact: true }).click();
    await expect.poll(() => first.innerText()).toBe(before);
    expect(await page.locator('.plan th[aria-current="date"]').count()).toBe(1);
    await page.close();
  });

  it('of many types and rooms it draws one type, a page at a time', async () => {
    const operator = await platform.token('olle', 'operator');
    const roomTypes = Array.from({ length: 50 }, (_, at) => ({
      ...{ roomTypeID: `type-${String(at).padStart(2, '0')}`, name: `Kind ${at}`, capacity: 2, beds: 1 },
    }));
    const { hotelID } = await ask<{ hotelID: string }>(operator, 'POST', '/v1/hotels', {
      ...{ name: 'Grand', address: '1 Quay', lat: 35.9, lng: 14.5, timeZone: 'Europe/Malta', roomTypes },
      ...{ currency: 'EUR', checkInTime: '15:00', checkOutTime: '11:00', amenities: [] },
    });
    for (let number = 1; number <= 60; number += 1)
      await ask(operator, 'POST', `/v1/hotels/${hotelID}/rooms`, {
        ...{ roomTypeID: 'type-00', number: String(number), floor: 1 },
      });
    page = await open(`plan/${hotelID}`);
    await page.getByText('1 to 50 of 60 rooms').waitFor();
    expect(await page.locator('.plan-type').count()).toBe(50);
    expect(await page.locator('.plan-track').count()).toBe(51);
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByText('51 to 60 of 60 rooms').waitFor();
    expect(await page.locator('.plan-track').count()).toBe(11);
    await page.getByRole('button', { name: /^Kind 7 / }).click();
    await page.getByText('No rooms of this type.').waitFor();
    expect(await page.locator('.plan-track').count()).toBe(1);
    await page.close();
  });

  it('a finger drags after a long press; before it, it scrolls', async () => {
    page = await open(`plan/${hotel}`, phone, { hasTouch: true, isMobile: true });
    await bar('Bo Ek').waitFor();
    await bar('Bo Ek').scrollIntoViewIfNeeded();
    const session = await page.context().newCDPSession(page);
    const touch = (type: string, x?: number, y?: number) =>
      session.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: x === undefined ? [] : [{ x, y: y! }],
      });
    const [from, to] = [(await bar('Bo Ek').boundingBox())!, (await row(numbers[2]!).boundingBox())!];
    const [x, y] = [from.x + 15, from.y + 15];
    await touch('touchStart', x, y);
    await touch('touchMove', x, y + 30);
    await touch('touchEnd');
    expect(await page.locator('.plan-held').count()).toBe(0);
    const start = (await bar('Bo Ek').boundingBox())!;
    const end = (await row(numbers[2]!).boundingBox())!;
    expect(to.height).toBeGreaterThan(20);
    await touch('touchStart', start.x + 15, start.y + 15);
    await page.locator('.plan-held').waitFor();
    for (const part of [0.3, 0.7, 1])
      await touch('touchMove', start.x + 15, start.y + 15 + part * (end.y + 15 - start.y - 15));
    await picture(page, 'room-plan-touch');
    await touch('touchEnd');
    await row(numbers[2]!).locator('.plan-bar', { hasText: 'Bo Ek' }).waitFor();
  });

  it('in German no sentence ends twice', async () => {
    const german = await open('none');
    await german.goto(`${platform.internalUrl}/staff/?lang=de#/plan/${hotel}`);
    await german.locator('button.plan-bar', { hasText: 'Ada Lovelace' }).click();
    const text = await german.locator('.plan-held').innerText();
    expect(text).toMatch(/^Zimmer \d+, .* Wo er war\.$/m);
    expect(text).not.toContain('..');
    await german.close();
  });

  it('the page has no fault, fits its width, and shows no id; only the nights scroll', async () => {
    const looks = (name: string) => (variant: string) => picture(page, `room-plan-${name}-${variant}`);
    expect(await faultsOf(page, looks('page'))).toEqual([]);
    expect((await wordsOf(page)).flatMap(rawIn)).toEqual([]);
    await page.close();
    page = await open(`plan/${hotel}`);
    await bar('Ada Lovelace').waitFor();
    expect(await tabFaults(page)).toEqual([]);
    await bar('Ada Lovelace').click();
    expect(await faultsOf(page, looks('held'))).toEqual([]);
    await page.setViewportSize(phone);
    const scroller = page.locator('.scroll').first();
    await scroller.evaluate('(each) => { each.scrollLeft = 200; }');
    const [head, box] = [
      (await row(numbers[0]!).locator('th').boundingBox())!,
      (await scroller.boundingBox())!,
    ];
    expect(Math.abs(head.x - box.x)).toBeLessThan(2);
    await page.close();
    expect(trouble).toEqual([]);
  });
});
