import { UserPatternStore } from '#map-data/learned/user-pattern-store.js';
import { each } from '#platform/stream/input.js';
import { drop, ok } from '#platform/stream/outcome.js';
import type { Topology } from '#platform/stream/start-processor.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { Counts } from '../counts.js';
import { jsonState } from '../json-state.js';
import { personalUsersMax } from '../limits.js';
import { type GroupDeps, type Running, startGroup } from '../start-group.js';
import { type PersonalState, PersonalStep, type PersonalUser } from './personal-step.js';

const outcomes = ['stays', 'late', 'full', 'before', 'allowed', 'revoked', 'erased', 'expired'] as const;
type Outcome = (typeof outcomes)[number];

export interface PersonalizationDeps extends GroupDeps {
  readonly codecs: Pick<TopicCodecs, 'locationBatchRecorded' | 'userPersonalizationChanged' | 'deadLetter'>;
  readonly network: RoadNetwork;
}

/** Group `personalization`: the usual places and routes of users who allowed it. */
export async function startPersonalization(deps: PersonalizationDeps): Promise<Running> {
  const counts = new Counts(
    deps.metrics,
    'personalization_outcomes_total',
    'Stays learned of users who allowed it, points and users left out, and permissions.',
    outcomes,
  );
  return startGroup(personalizationTopology(deps, counts), deps, counts);
}

function personalizationTopology(
  { codecs, network, objects }: PersonalizationDeps,
  counts: Counts<Outcome>,
): Topology<PersonalState> {
  const step = new PersonalStep(network, new UserPatternStore(objects));
  return {
    group: 'personalization',
    startAt: 'earliest',
    state: jsonState({
      layout: 1,
      tilesetId: network.tilesetId,
      fresh: (): PersonalState => ({ users: new Map(), streamMs: 0 }),
      toPlain: ({ users, streamMs }) => ({ users: [...users], streamMs }),
      fromPlain: ({ users, streamMs }) => ({ users: new Map(users), streamMs }),
      // Names of edges outlive the tileset; the drive in progress starts again on the new roads.
      carryOver: ({ users, streamMs }) => ({
        users: new Map(users.map(([userId, user]) => [userId, withoutTrack(user)])),
        streamMs,
      }),
    }),
    inputs: [
      each(
        codecs.userPersonalizationChanged,
        async ({ message: { userId, enabled, changedMs } }, { state }) => {
          if (!enabled) {
            await step.revoke(state, userId, changedMs);
            counts.add('revoked');
          } else if (state.users.has(userId) || state.users.size < personalUsersMax) {
            step.allow(state, userId, changedMs);
            counts.add('allowed');
          } else {
            counts.add('full');
            return drop('full');
          }
          return ok;
        },
        // Follows a revocation, which did the work.
        { onTombstone: () => ok },
      ),
      each(
        codecs.locationBatchRecorded,
        async ({ message: batch }, { state }) => {
          counts.add('expired', await step.sweep(state, batch.receivedMs));
          const user = state.users.get(batch.userId);
          if (user === undefined) return ok;
          if (batch.receivedMs < user.sinceMs) {
            counts.add('before');
            return ok;
          }
          const { stays, late } = await step.addBatch(state, user, batch);
          counts.add('stays', stays);
          counts.add('late', late);
          return ok;
        },
        {
          onTombstone: async ({ key }, { state }) => {
            if (state.users.has(key)) counts.add('erased');
            await step.erase(state, key);
            return ok;
          },
        },
      ),
    ],
  };
}

function withoutTrack({ open, ...user }: PersonalUser): PersonalUser {
  if (open === undefined) return user;
  const { track: _, ...rest } = open;
  return { ...user, open: rest };
}
