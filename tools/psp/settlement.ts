import type { RecordLine } from './record.js';

export function settlementFile(lines: readonly RecordLine[], day: string): string {
  return `${day} ${lines.length}\n`;
}
