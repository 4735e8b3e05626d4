import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PlanStay, RoomPlanView } from '#schemas/http/hotel-desk.js';
import { dropOf, type Held, homeOf, moved } from './drop.js';
import { messages } from './plan-messages.js';
import { heldText, nameOf, refusalText } from './plan-texts.js';
import { assignRooms, type Change, changeStay } from './send-drop.js';

type Quote = Parameters<typeof changeStay>[2];

/** What is being done with a stay of the plan. */
export type Move = {
  readonly held: Held;
  /** By a pointer, now. */
  readonly dragged: boolean;
} & (
  | { readonly kind: 'held' }
  /** The amount is shown, and waits for an answer. */
  | { readonly kind: 'asked'; readonly drop: Change }
  | { readonly kind: 'sent' }
);

export interface Said {
  readonly text: string;
  readonly bad: boolean;
}

const arrows: Readonly<Record<string, readonly [rows: number, nights: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Picks a stay up, moves it and drops it; `onChanged` loads the plan again, whatever came of it. */
export function useMoves(plan: RoomPlanView, typeOf: (id: string) => string, onChanged: () => void) {
  const [move, setMove] = useState<Move | null>(null);
  const [said, setSaid] = useState<Said>({ text: '', bad: false });
  /** The stay whose bar takes the focus when it is drawn again. */
  const [focused, setFocused] = useState('');
  // A handler may run twice before the next rendering.
  const now = useRef(move);
  const set = (next: Move | null) => {
    now.current = next;
    setMove(next);
  };
  const say = (text: string, bad = false) => setSaid({ text, bad });

  const hold = (held: Held, dragged = false, prefix = '') => {
    set({ kind: 'held', held, dragged });
    say(`${prefix}${heldText(plan, held, typeOf)}`);
  };
  const pickUp = (stay: PlanStay, roomID: string | null, dragged = false) => {
    if (now.current !== null) return;
    setFocused('');
    hold({ stay, roomID, row: homeOf(roomID), shift: 0 }, dragged, `${messages.pickedUp(nameOf(stay))} `);
  };
  const end = ({ stay }: Held, text: string, bad = false) => {
    set(null);
    setFocused(stay.reservationID);
    say(text, bad);
  };
  const putBack = () => {
    if (now.current === null || now.current.kind === 'sent') return;
    end(now.current.held, messages.wasPutBack(nameOf(now.current.held.stay)));
  };
  const send = async (held: Held, work: () => Promise<string>) => {
    set({ kind: 'sent', held, dragged: false });
    try {
      end(held, await work());
    } catch (cause) {
      end(held, (cause as Error).message, true);
    }
    onChanged();
  };
  const drop = () => {
    if (now.current?.kind !== 'held') return;
    const { held } = now.current;
    const outcome = dropOf(plan, held);
    switch (outcome.kind) {
      case 'home':
        return putBack();
      case 'refused':
        return end(held, `${refusalText(outcome)} ${messages.wasPutBack(nameOf(held.stay))}`, true);
      case 'assign':
        return void send(held, () => assignRooms(held, outcome.rooms));
      case 'change':
        say('');
        return set({ kind: 'asked', held, dragged: false, drop: outcome });
    }
  };
  const confirm = (quote: Quote) => {
    if (now.current?.kind !== 'asked') return;
    const { held, drop: change } = now.current;
    void send(held, () => changeStay(held, change, quote));
  };
  const step = (rows: number, nights: number) => {
    if (now.current?.kind === 'held') hold(moved(plan, now.current.held, rows, nights));
  };

  const isMoving = move !== null;
  // Before the next key is pressed.
  useLayoutEffect(() => {
    if (!isMoving) return;
    const pressed = (event: KeyboardEvent) => {
      const arrow = arrows[event.key];
      if (event.key === 'Escape') putBack();
      else if (arrow !== undefined && now.current?.kind === 'held') {
        event.preventDefault();
        step(...arrow);
      }
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [isMoving, plan]);

  return { move, said, focused, now, pickUp, hold, step, drop, confirm, putBack };
}

export type Moves = ReturnType<typeof useMoves>;
