import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RouteDecision, readDecision } from '#api/push/route-decision.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import type { RouteChanged } from '#schemas/messages.js';

/** Decisions as the gateway reads them from the log. */
export async function openDecisions() {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-decisions-'));
  const registry = await openSchemaRegistry(`embedded:${folder}`);
  const { navRouteChanged: codec } = await openTopicCodecs(registry);
  return {
    codec,
    decisionOf: (change: RouteChanged): RouteDecision => readDecision(codec.bodyOf(codec.encode(change))),
    async closeDecisions() {
      await registry.close();
      await rm(folder, { recursive: true });
    },
  };
}
