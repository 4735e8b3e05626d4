// Loaded by `node --import` into a program. Its wall clock differs from the machine's by the milliseconds in
// the file named by CLOCK_SHIFT, which may change at any time; timers and `performance.now` do not.
import { readFileSync } from 'node:fs';

const { CLOCK_SHIFT: file } = process.env;
const TrueDate = Date;
let shiftMs = 0;

function read() {
  try {
    shiftMs = Number(readFileSync(file, 'utf8'));
  } catch {
    shiftMs = 0;
  }
}

if (file !== undefined) {
  read();
  setInterval(read, 50).unref();
  globalThis.Date = class ShiftedDate extends TrueDate {
    constructor(...given) {
      if (given.length === 0) super(TrueDate.now() + shiftMs);
      else super(...given);
    }

    static now() {
      return TrueDate.now() + shiftMs;
    }
  };
}
