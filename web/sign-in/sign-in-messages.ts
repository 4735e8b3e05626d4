import { tableOf } from '../language/table.js';

/** The texts of the sign-in; `sign-in-messages.en.ts` says where each is used. */
export const messages = await tableOf<typeof import('./sign-in-messages.en.js')>({
  en: () => import('./sign-in-messages.en.js'),
  sv: () => import('./sign-in-messages.sv.js'),
  de: () => import('./sign-in-messages.de.js'),
});
