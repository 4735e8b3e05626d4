import { ledgerGuards } from './ledger-guards.js';
import { ledgerPosting } from './ledger-posting.js';
import { ledgerReads } from './ledger-reads.js';
import { ledgerTables } from './ledger-tables.js';

/** The ledger alone; it needs no other table. */
export const ledger = ledgerTables + ledgerGuards + ledgerPosting + ledgerReads;
