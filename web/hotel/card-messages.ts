import { tableOf } from '../language/table.js';

/** The texts of these pages; `card-messages.en.ts` says where each is used. */
export const messages = await tableOf<typeof import('./card-messages.en.js')>({
  en: () => import('./card-messages.en.js'),
  sv: () => import('./card-messages.sv.js'),
  de: () => import('./card-messages.de.js'),
});
