import type { EarlierHistory } from '#platform/sql/sql.js';
import { countPaymentsOfABuyer } from './0080-count-payments-of-a-buyer.js';
import { secondPersonForPayouts } from './0081-second-person-for-payouts.js';
import { secondPersonForSellers } from './0082-second-person-for-entries-on-sellers.js';
import { secondPersonForRefunds } from './0083-second-person-for-refunds.js';
import { findingsWithoutAFile } from './0090-findings-without-a-file.js';
import { retryDeclinedOrders } from './0091-retry-declined-orders.js';
import { standardNames } from './0100-standard-names.js';

/** The migrations from before the first release: development databases keep their data. */
export const developmentHistory: EarlierHistory = {
  since: 'commit 54c4947',
  recorded: {
    '0001-create-ledger': 'cb33ee9b30781aab7420640bfb1749fb32ba75b84f9379be2f422cebb1d5a0e0',
    '0010-create-wallet': 'b94cbf80fe2123de804c2ff6c6a7a9baf656f6557191fd0a283fbf24c33693a5',
    '0020-create-payouts': '71a1c310eeba85ff6fae975e7cbae7defdfefff035cd3c237260305b4d3cfe68',
    '0030-create-reconciliation': 'd8732149573c746bdf00a9c0a70cdac6116dc732b5c3b9eed7f13d574c6f0cb9',
    '0050-create-orders': '54147090d63448522326c7c48a9b610f2448553d1a1c18bd1e713b774b999bd9',
    '0051-create-requests-refunds-disputes':
      '099e1de863d46106b918dc0f7a7be9540a8b0e9394d16b50decf7c749f7346d2',
    '0052-create-messages': '2de2e0b576c8aefa874bdbc21df32fb5f78054680e6e82e5a9c147406e33b016',
    '0053-create-mail-jobs': 'fbe02a1322aee59320acc1b82e039462a18d68d8e9d6e3e6974a5b35ad686cd5',
    '0054-find-events-of-a-caller': '31b35f47a41d0ad3edf71a3d4f7ec0fa94a9d1e0561010b8b1561fdc74af444e',
    '0055-send-mails': '19828f4eaa5f5122bddcaff1facfdc4b87f5c9ef39131b583660556a13ea7d79',
    '0071-standings-instead-of-heads': '9b68b36bc218b1e770373b6cbe338cde80ef4609a4077f940565f3d27820f392',
    '0073-wallets-read-batches': '4138c0daec90ecb9efecd8c0b088b8da1982f5cc69641e1a340c7856bbdb0b6b',
    '0075-gate-for-plain-batches': '617d99b27b4dc3f24b52cff18e647c0c74d57d5369ab3c664b95da467bf8a398',
    '0076-heads-and-blocks': '26752670481e9f19a3e486bb7065a6f3a2aae2b00eb0a294ad09d15e1dfd20e7',
    '0077-one-exchange': '86753c4b0b930e408ec4826af728608c73b926ab240a2803fc65c0486d20a026',
    '0078-wallets-read-blocks': '4d7f688c6edf23e220c91b1518367e842ea1d925f25e4c228692585b84acf71d',
    '0079-wallets-are-proven-with-their-reserves':
      'eaf4a2a06208773d4ecc677cda5be2ffbe8d180888439c9f542b7fabe4fb16b2',
  },
  steps: [
    countPaymentsOfABuyer,
    secondPersonForPayouts,
    secondPersonForSellers,
    secondPersonForRefunds,
    findingsWithoutAFile,
    retryDeclinedOrders,
    standardNames,
  ],
};
