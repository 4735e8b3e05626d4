import { tableOf } from '../language/table.js';

/** The texts of the finance pages; `finance-messages.en.ts` says where each is used. */
export const messages = await tableOf<typeof import('./finance-messages.en.js')>({
  en: () => import('./finance-messages.en.js'),
  sv: () => import('./finance-messages.sv.js'),
  de: () => import('./finance-messages.de.js'),
});
