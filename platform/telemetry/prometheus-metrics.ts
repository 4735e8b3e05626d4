import {
  collectDefaultMetrics,
  Counter as PrometheusCounter,
  Gauge as PrometheusGauge,
  Registry,
} from 'prom-client';
import { HistogramFamily } from './histogram-family.js';
import type { Counter, Gauge, Histogram, Labels, Metrics } from './metrics.js';

/** Gauges that the library names like counters; the same figures are there by type of resource. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** A registry of its own, so that two programs in one process can each have theirs. */
export function createMetrics(options: { readonly processMetrics?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.processMetrics === true) {
    collectDefaultMetrics({ register: registry });
    for (const name of misnamed) registry.removeSingleMetric(name);
  }
  const families = new Map<string, unknown>();
  const histograms = new Map<string, HistogramFamily>();
  const children = new Map<string, unknown>();
  const flushes: (() => void)[] = [];
  /** After the flushes of others, which may still add. */
  const counters: (() => void)[] = [];

  function family<F>(name: string, create: () => F): F {
    const known = families.get(name) as F | undefined;
    if (known !== undefined) return known;
    const created = create();
    families.set(name, created);
    return created;
  }

  function child<C>(name: string, labels: Labels, create: () => C): C {
    const key = `${name} ${JSON.stringify(Object.entries(labels).toSorted(byName))}`;
    const known = children.get(key) as C | undefined;
    if (known !== undefined) return known;
    const created = create();
    children.set(key, created);
    return created;
  }

  return {
    counter(name, help, labels = {}): Counter {
      return child(name, labels, () => {
        const counter = family(
          name,
          () => new PrometheusCounter({ name, help, labelNames: Object.keys(labels), registers: [registry] }),
        ).labels(labels);
        counter.inc(0);
        // The library hashes the labels at each call, so it gets the sum once for each scrape.
        let added = 0;
        counters.push(() => {
          counter.inc(added);
          added = 0;
        });
        return {
          add(amount = 1) {
            if (!(amount >= 0)) throw new RangeError(`${name} can only grow, not by ${amount}.`);
            added += amount;
          },
        };
      });
    },
    histogram(name, help, buckets, labels = {}): Histogram {
      return child(name, labels, () => {
        let known = histograms.get(name);
        if (known === undefined) {
          known = new HistogramFamily(name, help, buckets);
          histograms.set(name, known);
        }
        return known.child(labels);
      });
    },
    gauge(name, help, labels = {}): Gauge {
      return child(name, labels, () => {
        const gauge = family(
          name,
          () => new PrometheusGauge({ name, help, labelNames: Object.keys(labels), registers: [registry] }),
        ).labels(labels);
        return { set: (value) => gauge.set(value) };
      });
    },
    countsOf: (name) => histograms.get(name)?.counts() ?? [],
    onScrape(flush) {
      flushes.push(flush);
    },
    async scrape() {
      for (const flush of [...flushes, ...counters]) flush();
      const own = [...histograms.values()].map((known) => known.render());
      return {
        contentType: registry.contentType,
        text: [await registry.metrics(), ...own].join('\n'),
      };
    },
  };
}

function byName([left]: [string, string], [right]: [string, string]): number {
  return left < right ? -1 : 1;
}
