import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly signature: string;
  readonly timestamp: string;
  readonly text: string;
}

/** The server of a merchant or a channel. It accepts nothing that its secret did not sign. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** Requests now, and the most at a time. */
  open = 0;
  openMost = 0;
  secret = '';
  /** What it answers: a status, or `hang`. */
  answer: (webhook: Received) => number | 'hang' = () => 200;
  text = 'ok';
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      this.open += 1;
      this.openMost = Math.max(this.openMost, this.open);
      response.on('close', () => {
        this.open -= 1;
      });
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const header = (name: string): string => String(request.headers[name] ?? '');
        const headers = {
          'webhook-id': header('webhook-id'),
          'webhook-timestamp': header('webhook-timestamp'),
          'webhook-signature': header('webhook-signature'),
        };
        // Signatures alone: tests move the clock of the sender, and a receiver compares it with its own.
        const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
        const expected = new Webhook(this.secret).sign(headers['webhook-id'], at, text);
        if (!headers['webhook-signature'].split(' ').includes(expected)) {
          response.writeHead(401).end('unsigned');
          return;
        }
        const webhook = {
          ...(JSON.parse(text) as Pick<Received, 'type' | 'data'>),
          id: headers['webhook-id'],
          signature: headers['webhook-signature'],
          timestamp: headers['webhook-timestamp'],
          text,
        };
        const status = this.answer(webhook);
        this.received.push(webhook);
        if (status !== 'hang') response.writeHead(status).end(this.text);
      });
    });
  }

  static async open(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  typesOf(paymentOrderId: string): string[] {
    return this.received
      .filter(({ data }) => data['payment_order_id'] === paymentOrderId)
      .map(({ type }) => type);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
