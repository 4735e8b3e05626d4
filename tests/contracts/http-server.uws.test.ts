import { describe, test } from 'vitest';
import { findUws } from '#platform/http-transport/load-uws.js';
import { uwsTransport } from '#platform/http-transport/uws-transport.js';
import { httpServerContract } from './http-server/http-server.contract.js';

const found = findUws();
if (found.ok) describe(found.uws.binding, () => httpServerContract(uwsTransport(found.uws)));
else test.skipIf(!found.ok)(found.reason, () => undefined);
