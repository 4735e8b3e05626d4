import type { UwsSocket } from './load-uws.js';

/** Half the size from which the older binding writes header and payload separately. */
const fragmentBytes = 8 * 1024;

const encoder = new TextEncoder();
const scratch = new Uint8Array(fragmentBytes);

/** Not in the binding's types, but in every build of it. */
interface FragmentSender {
  sendFirstFragment(part: Uint8Array, isBinary: boolean, compress: boolean): number;
  sendFragment(part: Uint8Array, compress: boolean): number;
  sendLastFragment(part: Uint8Array, compress: boolean): number;
}

/**
 * Sends one text message, given as a string or as its UTF-8 bytes, and answers as the driver's `send` does.
 * The older binding loses four bytes of a frame of 16 KiB or more if the kernel accepts only a part of it,
 * which breaks the connection of every slow client. A long text is therefore sent in fragments (RFC 6455,
 * 5.4), which clients join.
 */
export function sendText(driver: UwsSocket<unknown>, text: string | Uint8Array): number {
  if (typeof text !== 'string')
    return text.length <= fragmentBytes ? driver.send(text, false, false) : sendFragments(driver, text);
  if (text.length * 3 <= fragmentBytes) return driver.send(text, false, false);
  if (text.length <= fragmentBytes) {
    // The driver copies what it sends, so one buffer serves all: a route is longer than what Node takes from
    // its pool.
    const { read, written } = encoder.encodeInto(text, scratch);
    // A text with non-ASCII letters may not have fitted.
    if (read === text.length) return driver.send(scratch.subarray(0, written), false, false);
  }
  return sendFragments(driver, Buffer.from(text));
}

function sendFragments(driver: UwsSocket<unknown>, bytes: Uint8Array): number {
  const sender = driver as unknown as FragmentSender;
  const last = Math.floor((bytes.length - 1) / fragmentBytes) * fragmentBytes;
  let worst = 1;
  driver.cork(() => {
    for (let at = 0; at <= last; at += fragmentBytes) {
      const part = bytes.subarray(at, at + fragmentBytes);
      const result =
        at === 0
          ? sender.sendFirstFragment(part, false, false)
          : at === last
            ? sender.sendLastFragment(part, false)
            : sender.sendFragment(part, false);
      // 1 is sent, 0 waits, 2 was dropped.
      if (result !== 1 && worst !== 2) worst = result;
    }
  });
  return worst;
}
