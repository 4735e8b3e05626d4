import { type ProviderSettings, providerDefaults } from '../settings/delivery-settings.js';
import { ProviderHealth, watched } from './provider-health.js';
import type { Psp, PspOrder } from './psp.js';
import { everythingTo, type RoutingRule, ruleFor } from './routing-rules.js';

/** The providers of this deployment. */
export interface Providers {
  /** Undefined when none of this name is configured. */
  of(name: string): Psp | undefined;
  /** All of them, in their order. */
  readonly names: readonly string[];
  /** Those that are asked what they settled; others send files. */
  settling(): readonly string[];
  /**
   * Who may charge a new order, first choice first; never empty. The first rule for its currency and country
   * decides; providers that fail at the moment come last, and those that cannot charge the amount are left
   * out unless none can.
   */
  routeOf(
    order: Pick<PspOrder, 'amountMinor' | 'currency'> & { readonly country: string | undefined },
  ): readonly Psp[];
  close(): void;
}

export interface ProvidersOptions {
  /** Everything goes to all providers, in their order, when absent. */
  readonly rules?: readonly RoutingRule[];
  readonly nowMs?: () => number;
  /** Default: `providerDefaults`. */
  readonly settings?: ProviderSettings;
}

export function openProviders(
  all: readonly Psp[],
  {
    rules = everythingTo(all.map(({ name }) => name)),
    nowMs = Date.now,
    settings = providerDefaults,
  }: ProvidersOptions = {},
): Providers {
  const health = new ProviderHealth(nowMs, settings);
  const byName = new Map(all.map((psp) => [psp.name, watched(psp, health)]));
  if (byName.size !== all.length || byName.size === 0)
    throw new Error('Each payment service provider is configured once, and there is at least one.');
  return {
    of: (name) => byName.get(name),
    names: all.map(({ name }) => name),
    settling: () => all.filter(({ settlement }) => settlement !== undefined).map(({ name }) => name),
    routeOf(order) {
      const named = ruleFor(rules, order).providers.map((name) => byName.get(name)!);
      const able = named.filter((psp) => psp.takes(order));
      const route = able.length > 0 ? able : named;
      const [well, ill] = [true, false].map((wanted) =>
        route.filter(({ name }) => health.isWell(name) === wanted),
      );
      return [...well!, ...ill!];
    },
    close: () => {
      for (const psp of all) psp.close();
    },
  };
}
