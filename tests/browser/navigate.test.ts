import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.js';
import { skipped, why } from './chromium.js';
import { type MapPage, openMapPage } from './map-page.js';
import { type PageGlobal, stateOf, type Trouble } from './open-page.js';
import { picture } from './picture.js';

describe.skipIf(skipped)(`navigating${why}`, { timeout: 120_000 }, () => {
  let opened: MapPage;
  let page: Page;
  let trouble: Trouble;

  beforeAll(async () => {
    opened = await openMapPage('', {
      ...{ width: 390, height: 844 },
      // Chromium without sound has no voices; what is said is recorded instead of played.
      prepare: (fresh) =>
        fresh.addInitScript(`
          globalThis.spoken = [];
          SpeechSynthesis.prototype.speak = (utterance) => spoken.push([utterance.lang, utterance.text]);
        `),
    });
    ({ page, trouble } = opened);
    await page.getByLabel('Start: address, place, or latitude and longitude').fill('35.9110, 14.5020');
    await page.keyboard.press('Enter');
    await page.getByLabel('End: address, place, or latitude and longitude').fill('35.8780, 14.4720');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Navigate' }).click();
  }, 240_000);

  afterAll(() => opened?.close());

  const spoken = () => page.evaluate('spoken') as Promise<[string, string][]>;
  const guidance = () => stateOf(page, (state) => state.guidance);

  it('shows the next maneuver with its arrow, distance and street, and what follows', async () => {
    const next = page.getByLabel('Next maneuver');
    await next.waitFor();
    expect(await page.getByTestId('maneuver-distance').innerText()).toMatch(/^\d+(\.\d)? k?m$/);
    const { steps } = (await guidance())!;
    const streets = steps.map(({ html_instructions }) => /<b>([^<]+)<\/b>/.exec(html_instructions)?.[1]);
    expect(streets).toContain(await next.locator('b').first().innerText());
    expect(await next.locator('svg').first().locator('path').getAttribute('d')).not.toBe('');
    expect(await page.locator('.travelled .speed').innerText()).toMatch(/\d+ km\/h/);
  });

  it('shows the drive alone; traffic and closures are folded away', async () => {
    expect(await page.getByRole('button', { name: 'Close a road' }).isVisible()).toBe(false);
    expect(await page.getByText('Share my location').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Expand the panel' }).click();
    await page.getByText('Traffic and closures').click();
    await page.getByRole('button', { name: 'Close a road' }).waitFor();
    await page.getByText('Traffic and closures').click();
    await page.getByRole('button', { name: 'Collapse the panel' }).click();
  });

  it('lists the steps that are ahead, fewer as the drive goes on', async () => {
    await page.getByRole('button', { name: 'Expand the panel' }).click();
    const ahead = page.getByText(/^\d+ steps to go$/);
    await ahead.click();
    const many = await page.locator('.turns .step').count();
    expect(many).toBeGreaterThan(2);
    await expect.poll(() => page.locator('.turns .step').count(), { timeout: 60_000 }).toBeLessThan(many);
    await page.getByRole('button', { name: 'Collapse the panel' }).click();
  });

  it('follows with the heading up and tilted, until a hand turns it off and north is up again', async () => {
    const view = () =>
      page.evaluate(() => {
        const { map } = (globalThis as unknown as PageGlobal).meridian;
        return { bearing: map.getBearing(), pitch: map.getPitch(), zoom: map.getZoom() };
      });
    await expect.poll(async () => (await view()).pitch).toBeGreaterThan(40);
    const { bearing, zoom } = await view();
    expect(bearing).not.toBe(0);
    expect(zoom).toBeGreaterThan(16);
    await picture(page, 'navigate-phone');
    await page.getByRole('button', { name: 'Follow' }).click();
    expect(await stateOf(page, (state) => state.following)).toBe(false);
    await page.getByRole('button', { name: 'Follow' }).click();
  });

  it('speaks each maneuver in the language of the page, and is silent when muted', async () => {
    const { steps } = (await guidance())!;
    const plain = steps.map(({ html_instructions: html }) =>
      html
        .replace(/<div>.*/, '')
        .replace(/<[^>]+>/g, '')
        .replaceAll('&#39;', "'"),
    );
    const told = async () =>
      (await spoken()).filter(([, sentence]) => plain.some((each) => sentence.includes(each)));
    await expect.poll(async () => (await told()).length, { timeout: 60_000 }).toBeGreaterThan(0);
    expect((await told())[0]![0]).toBe('en');
    await page.getByRole('button', { name: 'Mute' }).click();
    const before = (await spoken()).length;
    await page.evaluate(() => {
      const { app } = (globalThis as unknown as PageGlobal).meridian;
      const { guidance: now } = app.get();
      app.set({ drivenM: now!.beginsM.at(-1)! - 30 });
    });
    expect(await spoken()).toHaveLength(before);
    await page.getByRole('button', { name: 'Voice' }).click();
    // The drive goes on from where it is.
    await expect.poll(() => stateOf(page, (state) => state.drivenM), { timeout: 20_000 }).toBeLessThan(5_000);
  });

  it('shows the voice as off, and says why, when the browser allows no sound', async () => {
    // The sentence of the arrival is due at once; the drive goes on afterwards.
    await page.evaluate(`(() => {
      SpeechSynthesis.prototype.speak = (utterance) =>
        utterance.dispatchEvent(new SpeechSynthesisErrorEvent('error', { utterance, error: 'not-allowed' }));
      const { app } = meridian;
      const { navigation } = app.get();
      app.set({ navigation: { phase: 'arrived', trip: navigation.trip } });
      app.set({ navigation });
    })()`);
    await page.getByText('The browser does not allow sound.').waitFor();
    await page.getByRole('button', { name: 'Voice' }).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
  });

  it('goes on without a network on the last route, says so, and returns by itself', async () => {
    await page.context().setOffline(true);
    await page.getByText(/^You are offline/).waitFor();
    const driven = () => stateOf(page, (state) => state.drivenM);
    const before = await driven();
    await expect.poll(driven).toBeGreaterThan(before);
    await page.getByLabel('Next maneuver').waitFor();
    await page.context().setOffline(false);
    await page.getByText(/^You are offline/).waitFor({ state: 'detached' });
    await eventually(async () =>
      expect(await stateOf(page, (state) => state.navigation.phase)).toBe('driving'),
    );
  });

  it('drives to each stop, then shows a card of the arrival', async () => {
    await page.evaluate(() => {
      const { app } = (globalThis as unknown as PageGlobal).meridian;
      const { navigation } = app.get();
      if (navigation.phase !== 'driving') throw new Error(navigation.phase);
      // The drive itself takes ten minutes: the test sets the end.
      app.set({ navigation: { phase: 'arrived', trip: navigation.trip }, drivenM: 6_000 });
    });
    await page.getByText('You have arrived').waitFor();
    await page.getByText('6.0 km driven.').waitFor();
    await picture(page, 'arrival-phone');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Navigate' }).waitFor();
    expect(trouble.violations).toEqual([]);
    expect(trouble.foreign).toEqual([]);
  });
});
