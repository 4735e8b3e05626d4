import { deprecationLines } from '#platform/http/response/deprecation-lines.js';
import { type Deprecation, type RouteContract, sunsetDaysMin } from '#schemas/http/route-contract.js';
import { operationOf } from './operation-shape.js';

const dayMs = 86_400_000;

/**
 * What is wrong with the deprecations of these operations, as sentences.
 *
 * @param lockedAt day of the last lock, `YYYY-MM-DD`: what is announced now was not announced before it
 * @param lockedDeprecations days of announcement in the lock, by operation
 */
export function deprecationFaults(
  contracts: readonly RouteContract[],
  lockedAt: string,
  lockedDeprecations: ReadonlyMap<string, string>,
): string[] {
  return contracts.flatMap((contract) => {
    const { deprecated } = contract;
    if (deprecated === undefined) return [];
    const operation = operationOf(contract);
    const earliest = lockedDeprecations.get(operation) ?? lockedAt;
    return [
      ...refusalByServer(contract),
      ...termFaults(deprecated, earliest),
      ...successorFaults(contract, deprecated.successor, contracts),
    ].map((fault) => `${operation}: ${fault}`);
  });
}

/** A server does not start with what it cannot announce. */
function refusalByServer(contract: RouteContract): string[] {
  try {
    deprecationLines(contract);
    return [];
  } catch (error) {
    return [`${(error as Error).message}.`];
  }
}

function termFaults({ since, sunset }: Deprecation, earliest: string): string[] {
  const days = (Date.parse(sunset) - Date.parse(since)) / dayMs;
  return [
    ...(since < earliest
      ? [`It is deprecated since ${since}, but was not announced before ${earliest}.`]
      : []),
    ...(days < sunsetDaysMin
      ? [`Its sunset is ${days} days after the announcement; the policy says at least ${sunsetDaysMin}.`]
      : []),
  ];
}

function successorFaults(
  { listener, scopes }: RouteContract,
  successor: RouteContract,
  contracts: readonly RouteContract[],
): string[] {
  const name = operationOf(successor);
  const faults: string[] = [];
  if (!contracts.includes(successor)) faults.push(`Its successor ${name} is not a documented operation.`);
  if (successor.deprecated !== undefined) faults.push(`Its successor ${name} is deprecated, too.`);
  if (successor.listener !== 'both' && successor.listener !== listener)
    faults.push(`Its successor ${name} is served by the ${successor.listener} listener only.`);
  if (!admitsAll(scopes, successor.scopes))
    faults.push(`Its successor ${name} does not admit everybody whom it admits.`);
  return faults;
}

function admitsAll(before: RouteContract['scopes'], after: RouteContract['scopes']): boolean {
  if (after === 'open' || before === after) return true;
  if (typeof before === 'string' || typeof after === 'string') return false;
  return before.every((scope) => after.includes(scope));
}
