import { keptKey } from './kept-key.js';

/** Drivers must have the same pseudonyms after a restart, and no other party may compute them. */
export const pseudonymKey = (folder: string): Promise<string> => keptKey(folder, 'pseudonym.key');
