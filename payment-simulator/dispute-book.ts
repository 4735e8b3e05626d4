import { createHash } from 'node:crypto';
import { type Answer, done, refuse } from './answer.js';
import { KeptFacts } from './kept-facts.js';
import type { SimulatedDispute, SimulatedFile } from './record.js';

/** Disputes after their opening: evidence, documents, deadlines and ends. */
export class DisputeBook extends KeptFacts {
  /** The bank gives more time, or less. */
  moveDeadline(id: string, dueMs: number): Answer<SimulatedDispute> {
    const dispute = this.disputes.get(id);
    if (dispute?.status !== 'opened') return refuse(404, 'unknown_dispute');
    const moved = { ...dispute, dueMs, changedMs: this.nowMs() };
    this.write({ kind: 'dispute', dispute: moved }, 'control');
    return done(moved);
  }

  /** Under one id, once; what is kept of it says whether the shop sent the same bytes. */
  keepFile(id: string, contentType: string, bytes: Uint8Array): Answer<SimulatedFile> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const known = this.files.get(id);
    if (known !== undefined)
      return known.sha256 === sha256 ? done(known, true) : refuse(422, 'nonce_used_otherwise');
    const file = { id, sha256, size: bytes.length, contentType };
    this.write({ kind: 'file', file }, 'upload');
    return done(file);
  }

  /** Evidence is taken once and until its deadline. */
  answerDispute(id: string, evidence: NonNullable<SimulatedDispute['evidence']>): Answer<SimulatedDispute> {
    const dispute = this.disputes.get(id);
    if (dispute === undefined) return refuse(404, 'unknown_dispute');
    if (dispute.evidence !== undefined)
      return dispute.evidence.nonce === evidence.nonce
        ? done(dispute, true)
        : refuse(409, 'already_answered');
    if (dispute.status !== 'opened') return refuse(409, 'dispute_closed');
    if ((dispute.dueMs ?? Infinity) <= this.nowMs()) return refuse(409, 'deadline_passed');
    if (Object.values(evidence.documents).some((file) => !this.files.has(file)))
      return refuse(422, 'unknown_document');
    const answered = { ...dispute, evidence, changedMs: this.nowMs() };
    this.write({ kind: 'dispute', dispute: answered }, 'evidence');
    return done(answered);
  }

  /** The shop gives up. */
  acceptDispute(id: string): Answer<SimulatedDispute> {
    const dispute = this.disputes.get(id);
    if (dispute === undefined) return refuse(404, 'unknown_dispute');
    return dispute.status === 'won' ? refuse(409, 'dispute_closed') : this.closeDispute(id, 'lost');
  }

  closeDispute(id: string, status: 'won' | 'lost'): Answer<SimulatedDispute> {
    const dispute = this.disputes.get(id);
    if (dispute === undefined) return refuse(404, 'unknown_dispute');
    if (dispute.status !== 'opened') return done(dispute, true);
    const closed = { ...dispute, status, changedMs: this.nowMs() };
    this.write({ kind: 'dispute', dispute: closed }, 'control');
    return done(closed);
  }
}
