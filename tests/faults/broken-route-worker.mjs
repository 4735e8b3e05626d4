// Loaded by `node --import` into a program. While the file named by BROKEN_WORKER exists, the next thread
// that finishes a task takes the file away and does what it says instead of answering. Beside it, in a file
// that ends with `.threads`, stands when each thread could take its first task, in Unix milliseconds.
import { appendFileSync, readFileSync, unlinkSync } from 'node:fs';
import { isMainThread, MessagePort } from 'node:worker_threads';

const { BROKEN_WORKER: file } = process.env;

function takeFault() {
  try {
    const fault = readFileSync(file, 'utf8');
    // Two threads may have read it; only one removes it.
    unlinkSync(file);
    return fault;
  } catch {
    return undefined;
  }
}

function useAllMemory() {
  // Neither small, which keeps the garbage collection busy until the deadline of the task, nor so large that
  // the process ends.
  const kept = [];
  for (;;) kept.push(Array(500_000).fill(0.5));
}

if (!isMainThread && file !== undefined) {
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (message, ...more) {
    if (message?.taskId !== undefined) {
      const fault = takeFault();
      if (fault === 'loop') for (;;);
      if (fault === 'memory') useAllMemory();
    }
    if (message?._WORKER_READY === true) appendFileSync(`${file}.threads`, `${Date.now()}\n`);
    return postMessage.call(this, message, ...more);
  };
}
