import { useEffect, useState } from 'preact/hooks';
import type { RequestedStay } from './requested-stay.js';
import { stayIn, withStay } from './stay-address.js';
import { usualStay } from './stay-form.js';

/** The stay of the address, so that a link, a reload and a step back keep it; else the usual one. */
export function useRequestedStay(): readonly [RequestedStay, (stay: RequestedStay) => void] {
  const [stay, setStay] = useState<RequestedStay>(() => stayIn(location.hash) ?? usualStay());
  useEffect(() => history.replaceState(null, '', withStay(location.hash, stay)), [stay]);
  return [stay, setStay];
}
