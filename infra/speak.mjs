import { connect } from 'node:net';
import { host } from './settings.mjs';

/** Sends one request over TCP and gives the first bytes of the answer. @returns {Promise<Buffer>} */
export function speak(port, request, { atLeast = 1, timeoutMs = 2000 } = {}) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, timeout: timeoutMs }, () => socket.write(request));
    const chunks = [];
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const answer = Buffer.concat(chunks);
      if (answer.length >= atLeast) {
        socket.destroy();
        resolve(answer);
      }
    });
    socket.on('timeout', () => socket.destroy(new Error(`no answer on port ${port} within ${timeoutMs} ms`)));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`port ${port} closed the connection without an answer`)));
  });
}
