import { presenceWritesPerTickMax } from '../http/limits.js';

/** What an instance publishes about its sockets to the other instances, as JSON. */
export interface PresenceHeartbeat {
  /** Random id of the process. */
  readonly instance: string;
  /** Navigations with an open socket there. */
  readonly connected: number;
  /** Those of them whose presence was just written; within the time of a refresh it is all of them. */
  readonly here: readonly string[];
}

const nameLengthMax = 64;
const textLengthMax = 1_000 + presenceWritesPerTickMax * (nameLengthMax + 3);

/** Undefined for other messages: other programs may write to the cache too. */
export function readPresenceHeartbeat(text: string): PresenceHeartbeat | undefined {
  if (text.length > textLengthMax) return undefined;
  let call: unknown;
  try {
    call = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (call === null || typeof call !== 'object') return undefined;
  const { instance, connected, here } = call as Record<string, unknown>;
  if (!isName(instance) || !isCount(connected) || !Array.isArray(here)) return undefined;
  if (here.length > presenceWritesPerTickMax || !here.every(isName)) return undefined;
  return { instance, connected, here };
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= nameLengthMax;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
