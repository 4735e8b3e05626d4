import type { EarlierHistory } from '#platform/sql/sql.js';
import { lockUsers } from './0056-lock-users.js';
import { addPaymentReturned } from './0057-add-payment-returned.js';
import { followTheMoney } from './0058-follow-the-money.js';

/** The migrations from before the first release: development databases keep their data. */
export const developmentHistory: EarlierHistory = {
  since: 'commit 54c4947',
  recorded: {
    '0001-create-hotels': '0a4fb17073208220a1466c0dd4c25f23c07bad3561a11d03c27486b733ea95b8',
    '0002-create-inventory': '560490f1c719d6ea196c4dcb773c84e5db17faf61bd02b41b9b529c424a9a3a3',
    '0003-create-reservations': 'dbc06afc6a784273401f9a689524424e0951c7b6a77b765ef556b72eec55af86',
    '0004-create-outbox': '2498f0c25760ba41307b066c1cb54bf2c1018eab1fe4c1ec52f800f89d24d01b',
    '0005-reserve-rooms': 'b9bf8c1d30b0ef78e2f68bd332ca5f852e7f8d94f298cdd32ef65ba93c94be4b',
    '0006-change-counts': 'c428d2d64dab313280e56a2bb9b42edf612d5608c3796acd08618e24511ec23c',
    '0007-create-waitlist': '6b2f74b6624e6da7542ee960a234a992f3f9304bf18ade7b768ca7cd810ee614',
    '0050-create-operator-requests': '3c5a52cabf28373c96bbca418b27fe207b16b94468b7800d8da1a99c29aef868',
    '0051-create-staff-actions': '4c6d5512357341fc748c33abcef59688d536ace95583e09429b119fabbf05152',
    '0052-create-payment-answers': '857a91a4f69c40464fa66d1972e3ee7429066d7d36c28f09d788fb264e041261',
    '0053-reserve-by-keys': '0812c78cc40e5242f83dfa82c7a98a1cff4a87d740c0f4fa34206d0e97d89de5',
    '0054-reserve-one': '0acf3899690ac1e05526652da6456d82cf8794dd4960a7533ddec44715391f83',
    '0055-drop-holds-rooms': 'a54ffb54e80049087b84178d9f3e2d4a984c9c0dee86dba180898ba3a836fd65',
  },
  steps: [lockUsers, addPaymentReturned, followTheMoney],
};
