import { useRef, useState } from 'preact/hooks';

export interface Deed {
  readonly busy: boolean;
  /** What came of the last one; empty before, and while one runs. */
  readonly text: string;
  readonly bad: boolean;
}

const nothing: Deed = { busy: false, text: '', bad: false };

/**
 * Runs one action at a time: a second click while it runs does nothing. The action resolves to what is said
 * of it, and what it throws is said too. `forget` clears the text once it is about something else.
 */
export function useDeed() {
  const running = useRef(false);
  const [deed, setDeed] = useState(nothing);
  const run = async (work: () => Promise<string>): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setDeed({ ...nothing, busy: true });
    try {
      setDeed({ ...nothing, text: await work() });
    } catch (cause) {
      setDeed({ ...nothing, text: (cause as Error).message, bad: true });
    } finally {
      running.current = false;
    }
  };
  const forget = () => setDeed((now) => (now.busy || now.text === '' ? now : nothing));
  return { deed, run, forget };
}

/** A live region that is always there, so that a screen reader reads its new text. */
export function Said({ deed: { text, bad } }: { readonly deed: Deed }) {
  return (
    <p class={bad ? 'bad' : 'muted'} role={bad ? 'alert' : 'status'}>
      {text}
    </p>
  );
}
