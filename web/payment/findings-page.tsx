import type { Static } from 'typebox';
import type { Finding, getMoneyProof } from '#schemas/http/finance.js';
import { Shown } from '../hotel/frame.js';
import { useLoaded } from '../hotel/use-loaded.js';
import { messages } from './finance-messages.js';
import { FindingCard } from './finding-card.js';
import { findingsPath, proofPath } from './paths.js';
import { askAsPerson } from './person.js';

type Proof = Static<(typeof getMoneyProof)['responses'][200]['schema']>;

/** Differences between orders, ledger, wallets and settlement, and the share that agrees. */
export function FindingsPage({ person }: { readonly person: string }) {
  const [findings, again] = useLoaded(person, async () => ({
    proof: await askAsPerson<Proof>(person, proofPath),
    queue: (await askAsPerson<{ findings: Finding[] }>(person, findingsPath)).findings,
  }));
  return (
    <section>
      <h2>{messages.mismatches}</h2>
      <Shown state={findings}>
        {({ proof, queue }) => (
          <>
            <p>
              <span class="finance-figure">{messages.percent(proof.share)}</span>{' '}
              {messages.reconciled(proof.currencies.length > 1)}{' '}
              {messages.openWork(proof.unproven, queue.length)}
            </p>
            <ul class="findings">
              {queue.map((finding) => (
                <FindingCard
                  // A click belongs to the state that was shown.
                  key={`${finding.finding_no} ${finding.state}`}
                  finding={finding}
                  person={person}
                  onDecided={again}
                />
              ))}
            </ul>
            {queue.length === 0 && <p class="muted">{messages.noFindings}</p>}
          </>
        )}
      </Shown>
    </section>
  );
}
