import type { Profile } from './profile.js';

export type Right = 'open' | 'endsOnly' | 'closed';

const meaning: Readonly<Record<string, Right>> = {
  yes: 'open',
  permissive: 'open',
  designated: 'open',
  official: 'open',
  public: 'open',
  dismount: 'closed',
  use_sidepath: 'closed',
  private: 'endsOnly',
  destination: 'endsOnly',
  delivery: 'endsOnly',
  customers: 'endsOnly',
  customer: 'endsOnly',
  permit: 'endsOnly',
  residents: 'endsOnly',
  no: 'closed',
  agricultural: 'closed',
  forestry: 'closed',
  emergency: 'closed',
  military: 'closed',
  emergency_vehicle: 'closed',
  psv: 'closed',
  bus: 'closed',
  minibus: 'closed',
  taxi: 'closed',
  share_taxi: 'closed',
  foot: 'closed',
  hov: 'closed',
  restricted: 'closed',
};

/**
 * In a list such as `agricultural;destination`, each value admits its own users: the most permissive one
 * counts.
 */
export function rightOf(text: string | undefined, { accessKeys: [own] }: Profile): Right | undefined {
  if (text === undefined) return undefined;
  // `access=foot` admits those who walk.
  const one = (value: string): Right | undefined => (value === own ? 'open' : meaning[value]);
  if (!text.includes(';')) return one(text);
  const rights = text.split(';').map((value) => one(value.trim()));
  return (['open', 'endsOnly', 'closed'] as const).find((right) => rights.includes(right));
}
