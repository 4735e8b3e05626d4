import { STATUS_CODES } from 'node:http';

const lines = new Map(
  Object.entries(STATUS_CODES).map(([status, reason]) => [Number(status), `${status} ${reason}`]),
);

export function statusLine(status: number): string {
  return lines.get(status) ?? `${status} Unknown`;
}
