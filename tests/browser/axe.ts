import axe from 'axe-core/axe.min.js';
import type { Page } from 'playwright-core';

/** Every page looks right in each of them. */
export const variants = [
  { name: 'desktop, light', width: 1440, height: 900, colorScheme: 'light' },
  { name: 'desktop, dark', width: 1440, height: 900, colorScheme: 'dark' },
  { name: 'phone, light', width: 390, height: 844, colorScheme: 'light' },
  { name: 'phone, dark', width: 390, height: 844, colorScheme: 'dark' },
] as const;

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly target: unknown }[];
}

/** Targets of 24 by 24 pixels are required by WCAG 2.2, and axe leaves the rule out unless it is asked. */
const options = { rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] };

/** What axe finds in the page as it is: `rule: element`. */
export async function violations(page: Page): Promise<readonly string[]> {
  // The policy of the pages allows no other script; the protocol of the browser is not a script of the page.
  // It goes to a document once, and nothing comes back: both took longer than what axe does.
  if (await page.evaluate<boolean>('globalThis.axe === undefined'))
    await page.evaluate(`(() => { ${axe.source} })()`);
  const found = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as readonly Finding[];
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 240)}`));
}

/** A page that scrolls sideways, and by how many pixels. */
async function overflow(page: Page): Promise<readonly string[]> {
  const pixels = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return pixels > 0 ? [`scrolls sideways by ${pixels} px`] : [];
}

/** What moves although the system asks for less motion. */
const motion = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll('body *')]
    .filter((each) => {
      const { animationName, animationDuration, transitionDuration } = getComputedStyle(each);
      const long = (text) => text.split(',').some((part) => parseFloat(part) > 0);
      return (animationName !== 'none' && long(animationDuration)) || long(transitionDuration);
    })
    .map((each) => 'moves: ' + each.outerHTML.slice(0, 120))`);

/**
 * Goes through the page by Tab from its start.
 *
 * @returns what is wrong: a control that Tab does not reach or whose focus is not to be seen, and a step
 * back to something before it in the document.
 */
export async function tabFaults(page: Page): Promise<string[]> {
  const controls = await page.evaluate<number>(`(() => {
    getSelection()?.removeAllRanges();
    document.activeElement?.blur();
    const selector = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    globalThis.controls = [...document.querySelectorAll(selector)].filter(
      (each) => !each.disabled && each.tabIndex >= 0 && each.checkVisibility({ visibilityProperty: true }) &&
        // Of several choices of one kind Tab reaches the chosen one.
        !(each.type === 'radio' && !each.checked));
    globalThis.reached = new Set();
    return controls.length;
  })()`);
  const faults: string[] = [];
  let last = -1;
  // A field for a date is three steps and more.
  for (let presses = 0; presses < controls * 4 + 8 && last < controls - 1; presses++) {
    await page.keyboard.press('Tab');
    const [at, seen, html] = await page.evaluate<[number, boolean, string]>(`(() => {
      const active = document.activeElement;
      reached.add(active);
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(active);
      const seen = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
      return [controls.indexOf(active), seen, active.outerHTML.slice(0, 120)];
    })()`);
    if (at < 0) continue;
    if (!seen) faults.push(`focus is not visible: ${html}`);
    if (at < last) faults.push(`Tab goes back: ${html}`);
    last = at;
  }
  const missed = await page.evaluate<string[]>(
    // Some have become unreachable on purpose meanwhile, as pins of hotels that the map has no space for.
    `controls.filter((each) => each.isConnected && each.tabIndex >= 0 && !reached.has(each))
      .map((each) => each.outerHTML.slice(0, 120))`,
  );
  return [...faults, ...missed.map((html) => `Tab does not reach: ${html}`)];
}

/**
 * What is wrong with the page for people who use it without a mouse, without good eyes or on a phone, in
 * each variant: `[variant] rule: element`. The page keeps its state; its size and colours are as before.
 */
export async function faultsOf(page: Page, look?: (variant: string) => Promise<void>): Promise<string[]> {
  const size = page.viewportSize();
  const faults: string[] = [];
  for (const { name, width, height, colorScheme } of variants) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const found = [...(await violations(page)), ...(await overflow(page)), ...(await motion(page))];
    faults.push(...found.map((fault) => `[${name}] ${fault}`));
    await look?.(name.replace(', ', '-'));
  }
  // 1440 pixels at 200 % are 720.
  await page.setViewportSize({ width: 720, height: 450 });
  faults.push(...(await overflow(page)).map((fault) => `[at 200 %] ${fault}`));
  if (size !== null) await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}
