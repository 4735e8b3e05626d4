import type { getUsageOverview } from '#schemas/http/api-keys.js';
import type { getOperations, getOperationsOutline } from '#schemas/http/operations.js';

// Literal types of the contracts, so that every address matches its contract and the bundle contains no
// schema.
export const operationsPath: (typeof getOperations)['path'] = '/v1/operations';
export const outlinePath: (typeof getOperationsOutline)['path'] = '/v1/operations/outline';
export const usagePath: (typeof getUsageOverview)['path'] = '/v1/customer-usage';
