import { AssignerProtocol, type PartitionAssigner } from 'kafkajs';

const { MemberMetadata, MemberAssignment } = AssignerProtocol;
const VERSION = 1;

/**
 * Partition `p` of every topic goes to subscribed member `p mod n` in the order of member ids: the embedded
 * log's rule. Topics with the same key and number of partitions are co-partitioned: one member has the same
 * partitions of all.
 */
export const moduloAssigner: PartitionAssigner = ({ cluster }) => ({
  name: 'meridian-modulo',
  version: VERSION,
  async assign({ members, topics }) {
    const sorted = members
      .map(({ memberId, memberMetadata }) => ({
        memberId,
        topics: MemberMetadata.decode(memberMetadata)?.topics ?? topics,
      }))
      .toSorted((a, b) => (a.memberId < b.memberId ? -1 : 1));
    const assignments = new Map(sorted.map(({ memberId }) => [memberId, {} as Record<string, number[]>]));
    for (const topic of topics) {
      const readers = sorted.filter((member) => member.topics.includes(topic));
      for (const { partitionId } of cluster.findTopicPartitionMetadata(topic)) {
        const reader = readers[partitionId % readers.length];
        if (reader === undefined) continue;
        const assignment = assignments.get(reader.memberId)!;
        assignment[topic] = [...(assignment[topic] ?? []), partitionId];
      }
    }
    return [...assignments].map(([memberId, assignment]) => ({
      memberId,
      memberAssignment: MemberAssignment.encode({ version: VERSION, assignment, userData: Buffer.alloc(0) }),
    }));
  },
  protocol({ topics }) {
    return {
      name: 'meridian-modulo',
      metadata: MemberMetadata.encode({ version: VERSION, topics, userData: Buffer.alloc(0) }),
    };
  },
});
