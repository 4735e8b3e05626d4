import type { TransportSocket } from './http-transport.js';
import type { UwsSocket } from './load-uws.js';
import { sendText } from './send-text.js';

/** The result of the native `send`. */
const results = { 0: 'queued', 1: 'sent', 2: 'dropped' } as const;

export class UwsSocketAdapter implements TransportSocket {
  readonly #driver: UwsSocket<unknown>;

  constructor(driver: UwsSocket<unknown>) {
    this.#driver = driver;
  }

  send(text: string | Uint8Array): 'sent' | 'queued' | 'dropped' {
    return results[sendText(this.#driver, text) as keyof typeof results];
  }

  bufferedBytes(): number {
    return this.#driver.getBufferedAmount();
  }

  end(code: number, reason: string): void {
    this.#driver.end(code, reason);
  }

  terminate(): void {
    this.#driver.close();
  }
}
