import { clickStart } from '../route/messages.js';
import { planParts } from '../state/plan-parts.js';
import { app, say } from '../state/state.js';
import { type Plan, readCamera, readPlan, writeCamera, writePlan } from './page-address.js';

/** A map that is moved by a hand writes its address when it rests, not on each frame. */
const restMs = 400;

const planNow = (): Plan => app.get();

/** Parameters of others, such as the language, stay as they are. */
function kept(): string[] {
  const lang = new URLSearchParams(location.search).get('lang');
  return lang === null ? [] : [`lang=${encodeURIComponent(lang)}`];
}

function addressOf(plan: readonly string[]): string {
  const { camera } = app.get();
  const parts = [...(camera === null ? [] : [writeCamera(camera)]), ...plan, ...kept()];
  return `${location.pathname}${parts.length === 0 ? '' : `?${parts.join('&')}`}`;
}

/**
 * Keeps the page and its address the same. A change of the plan is an entry of the history, so Back undoes
 * it; a move of the map is not. A browser that refuses has a page without addresses.
 */
export function runAddress(): void {
  const open = () => app.set({ ...readPlan(location.search), goTo: readCamera(location.search) });
  open();
  // A hotel links to the page with a destination alone.
  if (app.get().end !== null && app.get().start === null) say(clickStart);
  let written = writePlan(planNow()).join('&');
  let resting: ReturnType<typeof setTimeout> | undefined;

  const write = (how: 'pushState' | 'replaceState'): void => {
    clearTimeout(resting);
    try {
      history[how](null, '', addressOf(writePlan(planNow())));
    } catch {
      // Browsers limit how often an address changes.
    }
  };
  const changed = () => {
    const plan = writePlan(planNow()).join('&');
    if (plan === written) return;
    written = plan;
    write('pushState');
  };
  for (const part of planParts) app.watch(part, changed);
  app.watch((state) => state.chosen, changed);
  app.watch((state) => state.open, changed);
  app.watch((state) => state.reachFrom, changed);
  app.watch(
    (state) => state.camera,
    () => {
      clearTimeout(resting);
      resting = setTimeout(write, restMs, 'replaceState');
    },
  );
  addEventListener('popstate', () => {
    clearTimeout(resting);
    // Before the state changes: it is the page that follows the address now.
    written = writePlan(readPlan(location.search)).join('&');
    open();
  });
}
