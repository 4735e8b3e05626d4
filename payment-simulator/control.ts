import type { Answer } from './answer.js';
import type { Call, Reply } from './exchange.js';
import type { FaultPlan, Faults } from './faults.js';
import type { PspStore } from './psp-store.js';
import type { PaymentState, TruthRecord } from './record.js';
import type { SettlementMismatch } from './settlement.js';
import type { Doctored } from './stripe/stripe-doctored.js';
import type { WebhookSender } from './webhook-sender.js';

export interface ControlDeps {
  readonly book: PspStore;
  readonly record: TruthRecord;
  readonly faults: Faults;
  readonly senders: readonly WebhookSender[];
  readonly nowMs: () => number;
  /** Calls of shops so far, whatever their outcome. */
  readonly calls: () => number;
  readonly advanceClock: (ms: number) => void;
  /** `stripeUrl` takes what Stripe would send. */
  readonly setWebhooks: (wanted: {
    readonly url?: string | undefined;
    readonly stripeUrl?: string | undefined;
    readonly secrets?: readonly string[] | undefined;
  }) => void;
  /** Another valid certificate from now on; answers with what the present one is called. */
  readonly swapCertificate: () => { readonly certificate: string; readonly pin: string };
  /** Makes what Stripe's lists say wrong from now on. */
  readonly doctor: (wanted: readonly Doctored[]) => void;
  readonly settlement: (day: string, mismatches: readonly SettlementMismatch[]) => string;
}

/** Controls the simulator, for tests and people, on a port of its own that shops do not know. */
export function controlReply(call: Call, deps: ControlDeps): Reply {
  const { book, record, faults, senders } = deps;
  const { body } = call;
  const nonce = String(body['nonce'] ?? '');
  switch (`${call.method} ${call.path}`) {
    case 'GET /record':
      return { status: 200, body: record.lines.slice(Number(call.query.get('from') ?? 0)) };
    case 'GET /calls':
      return { status: 200, body: { calls: deps.calls() } };
    case 'GET /webhooks':
      return { status: 200, body: senders.flatMap(({ sent }) => sent) };
    case 'GET /faults':
      return { status: 200, body: { left: faults.left } };
    case 'POST /faults':
      faults.set(body as Partial<FaultPlan>);
      return { status: 204 };
    case 'POST /clock':
      deps.advanceClock(Number(body['advance_ms'] ?? 0));
      return { status: 200, body: { now_ms: deps.nowMs() } };
    case 'POST /webhooks':
      deps.setWebhooks({
        url: typeof body['url'] === 'string' ? body['url'] : undefined,
        stripeUrl: typeof body['stripe_url'] === 'string' ? body['stripe_url'] : undefined,
        secrets: Array.isArray(body['secrets']) ? (body['secrets'] as string[]) : undefined,
      });
      return { status: 204 };
    case 'POST /webhooks/release':
      for (const sender of senders) sender.release();
      return { status: 204 };
    case 'POST /payments':
      return plain(
        book.force(
          nonce,
          body['status'] as PaymentState,
          body['code'] as string | undefined,
          body['amount_minor'] as string | undefined,
        ),
      );
    case 'POST /disputes':
      return plain(
        book.dispute(nonce, body['amount_minor'] as string | undefined, body['due_ms'] as number | undefined),
      );
    case 'POST /disputes/deadline':
      return plain(book.moveDeadline(String(body['id'] ?? ''), Number(body['due_ms'])));
    case 'POST /disputes/close':
      return plain(book.closeDispute(String(body['id'] ?? ''), body['status'] === 'won' ? 'won' : 'lost'));
    case 'POST /certificate':
      return { status: 200, body: deps.swapCertificate() };
    case 'POST /stripe-settlement':
      deps.doctor((body['doctored'] ?? []) as readonly Doctored[]);
      return { status: 204 };
    case 'GET /settlement': {
      const mismatches = (call.query.get('mismatches') ?? '').split(',').filter((name) => name !== '');
      const file = deps.settlement(call.query.get('day') ?? '', mismatches as SettlementMismatch[]);
      return { status: 200, body: { file } };
    }
    default:
      return { status: 404, body: { code: 'no_such_control' } };
  }
}

const plain = (answer: Answer<object>): Reply =>
  answer.ok ? { status: 200, body: answer.value } : { status: answer.status, body: { code: answer.code } };
