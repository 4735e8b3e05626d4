/** An outside condition the reader can mend: its message is one or two sentences and says what to do. */
export class Fault extends Error {}
