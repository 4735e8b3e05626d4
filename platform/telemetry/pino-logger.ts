import { type DestinationStream, destination, type Logger as Pino, pino } from 'pino';
import pretty from 'pino-pretty';
import type { LogFields, Logger, LogLevel } from './logger.js';

/** Fields that must never reach a log, up to two levels deep. */
const redactedNames = [
  'authorization',
  'token',
  'secret',
  'password',
  'cookie',
  'lat',
  'lng',
  'latitude',
  'longitude',
  'locs',
  'email',
  'card',
];

export interface LoggerOptions {
  readonly name: string;
  readonly level: LogLevel;
  /** Standard output by default: JSON lines, or text for people on a terminal. */
  readonly stream?: DestinationStream;
}

export function createLogger(options: LoggerOptions): Logger {
  const stream = options.stream ?? standardOutput();
  const driver = pino(
    {
      name: options.name,
      level: options.level,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.err },
      redact: {
        paths: redactedNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[redacted]',
      },
    },
    stream,
  );
  return wrap(driver);
}

/** Lines are written immediately, so that a killed process loses none. */
function standardOutput(): DestinationStream {
  if (process.stdout.isTTY) {
    return pretty({ colorize: process.env['NO_COLOR'] === undefined, messageKey: 'message', sync: true });
  }
  return destination({ fd: 1, sync: true });
}

function wrap(driver: Pino): Logger {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: LogFields) => {
    if (fields === undefined) driver[level](message);
    else driver[level](fields, message);
  };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => wrap(driver.child({ ...fields })),
  };
}
