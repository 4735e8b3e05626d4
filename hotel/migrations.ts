import type { Migration } from '#platform/sql/sql.js';
import { changeCounts } from './schema/change-counts.js';
import { changeSoldCounts } from './schema/change-sold-counts.js';
import { channelPending } from './schema/channel-pending.js';
import { channelRequests } from './schema/channel-requests.js';
import { channelWebhooks } from './schema/channel-webhooks.js';
import { countryTaxes } from './schema/country-taxes.js';
import { folio } from './schema/folio.js';
import { groupBlocks } from './schema/group-blocks.js';
import { guests } from './schema/guests.js';
import { hotels } from './schema/hotels.js';
import { houseRules, inspectedRooms } from './schema/inspected-rooms.js';
import { inventory } from './schema/inventory.js';
import { lockUsers } from './schema/lock-users.js';
import { noShowCutoff } from './schema/no-show-cutoff.js';
import { orderedDays } from './schema/ordered-days.js';
import { outbox } from './schema/outbox.js';
import { paymentAnswers } from './schema/payment-answers.js';
import { ratePlans } from './schema/rate-plans.js';
import { rates } from './schema/rates.js';
import { receiptMails } from './schema/receipt-mails.js';
import { reservations } from './schema/reservations.js';
import { reserveByPlan } from './schema/reserve-by-plan.js';
import { reserveOne } from './schema/reserve-one.js';
import { reserveOneByPlan } from './schema/reserve-one-by-plan.js';
import { reserveRooms } from './schema/reserve-rooms.js';
import { sellingRules } from './schema/selling-rules.js';
import { sharding } from './schema/sharding.js';
import { staff } from './schema/staff.js';
import { staffRefunds } from './schema/staff-refunds.js';
import { stayExchanges } from './schema/stay-exchanges.js';
import { stayPayments } from './schema/stay-payments.js';
import { taxes } from './schema/taxes.js';
import { traceOfAnEvent } from './schema/trace-of-an-event.js';
import { userHolds } from './schema/user-holds.js';
import { waitlist } from './schema/waitlist.js';
import { developmentHistory } from './upgrade/development-history.js';

/** The history `hotel`: the schema of the first release, and what changes it afterwards. */
export const hotelMigrations: readonly Migration[] = [
  {
    name: '0001-baseline',
    sql: [
      hotels,
      inventory,
      rates,
      reservations,
      outbox,
      reserveRooms,
      reserveOne,
      lockUsers,
      changeCounts,
      waitlist,
      staff,
      paymentAnswers,
    ].join(''),
    replaces: developmentHistory,
  },
  { name: '0002-staff-refunds', sql: staffRefunds },
  { name: '0010-guests', sql: guests },
  { name: '0011-taxes', sql: [taxes, countryTaxes].join('') },
  { name: '0012-folio', sql: folio },
  {
    name: '0020-rate-plans-and-restrictions',
    sql: [sellingRules, changeSoldCounts, ratePlans, reserveByPlan, reserveOneByPlan].join(''),
  },
  { name: '0021-stay-exchanges', sql: stayExchanges },
  { name: '0028-group-blocks', sql: groupBlocks },
  { name: '0029-inspected-rooms', sql: inspectedRooms },
  { name: '0030-house-rules', sql: houseRules },
  { name: '0031-no-show-cutoff', sql: noShowCutoff },
  { name: '0032-channel-pending', sql: channelPending },
  { name: '0036-stay-payments', sql: stayPayments },
  { name: '0037-sharding', sql: sharding },
  { name: '0038-receipt-mails', sql: receiptMails },
  { name: '0039-channel-webhooks', sql: channelWebhooks },
  { name: '0040-channel-requests', sql: channelRequests },
  { name: '0041-trace-of-an-event', sql: traceOfAnEvent },
  { name: '0042-user-holds', sql: userHolds },
  { name: '0043-ordered-days', sql: orderedDays },
];
