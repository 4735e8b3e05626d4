import { language } from '../language/language.js';
import { shownTrip } from '../state/navigation-state.js';
import { app, say } from '../state/state.js';
import { announcement, type Said } from './announcements.js';
import { nextManeuver } from './guidance.js';
import * as messages from './messages.js';
import type { Travel } from './travel.js';

/** A browser without speech shows no button for it. */
export const canSpeak = (): boolean => 'speechSynthesis' in globalThis;

/** A newer sentence replaces an unfinished one, which is then too late. */
function speak(sentence: string): void {
  if (!app.get().voice || !canSpeak()) return;
  const utterance = new SpeechSynthesisUtterance(sentence);
  utterance.lang = language;
  utterance.addEventListener('error', ({ error }) => {
    // We cancel what is too late ourselves. Everything else repeats with each sentence.
    if (error === 'canceled' || error === 'interrupted') return;
    app.set({ voice: false });
    say(error === 'not-allowed' ? messages.soundDenied : messages.soundFailed);
  });
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}

/** Speaks the maneuvers of a drive, its reroutes and its arrival. */
export function runVoice(travel: Travel): void {
  let last: Said | null = null;
  app.watch(
    (state) => state.guidance,
    () => {
      last = null;
    },
  );
  app.watch(
    (state) => state.drivenM,
    (drivenM) => {
      const { guidance, speedMps, units } = app.get();
      if (guidance === null) return;
      const next = nextManeuver(guidance, drivenM, travel.line().lengthM);
      const due = announcement(next, speedMps, units, last);
      if (due === null) return;
      last = due.said;
      speak(due.text);
    },
  );
  app.watch(
    (state) => shownTrip(state.navigation)?.reroute ?? null,
    (reroute) => reroute !== null && speak(messages.newRoute(reroute.reason)),
  );
  app.watch(
    (state) => state.navigation.phase,
    (phase) => phase === 'arrived' && speak(messages.arrived),
  );
  app.watch(
    (state) => state.voice,
    (on) => !on && canSpeak() && speechSynthesis.cancel(),
  );
}
