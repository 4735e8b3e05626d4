import { openEventLog } from '#platform/event-log/open-event-log.js';
import { eventLogContract } from './event-log.contract.js';
import { required } from './required-variable.js';

const address = required('EVENT_LOG', 'kafka://');

eventLogContract({ name: 'Kafka', open: () => openEventLog(address), dispose: async () => {} });
