import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** How the server answers the text of a letter, which it has received in full. */
export type Answer = 'take' | 'cut off' | 'hold' | 451 | 550;

export interface MailServer {
  readonly address: string;
  /** Letters that arrived in full, whatever was answered. */
  readonly letters: string[];
  /** Letters that it is responsible for. */
  readonly taken: string[];
  answer: Answer;
  close(): Promise<void>;
}

/** A real mail server on loopback; on `port` when it is started again. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const letter = Buffer.concat(chunks).toString('utf8');
        mails.letters.push(letter);
        const { answer } = mails;
        if (answer === 'hold') return;
        if (typeof answer === 'number')
          return done(Object.assign(new Error('<ada@example.org> not now'), { responseCode: answer }));
        mails.taken.push(letter);
        // The letter is there, and its sender never hears of it.
        if (answer === 'cut off') for (const { _socket } of connections()) _socket.destroy();
        else done(null);
      });
    },
  });
  const connections = () =>
    (server as unknown as { readonly connections: Set<{ _socket: { destroy(): void } }> }).connections;
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const { port: bound } = server.server.address() as AddressInfo;
  const mails: MailServer = {
    address: `smtp://127.0.0.1:${bound}`,
    letters: [],
    taken: [],
    answer: 'take',
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mails;
}

/** The value of a header, with folded lines joined. */
export const headerOf = (letter: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(letter.split('\r\n\r\n')[0]!.replaceAll(/\r\n[ \t]+/g, ' '))?.[1];

/** The decoded parts of a letter, by content type without parameters. */
export function partsOf(letter: string): ReadonlyMap<string, string> {
  const [head, ...rest] = letter.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  const type = headerOf(letter, 'content-type') ?? 'text/plain';
  const boundary = /boundary="([^"]+)"/.exec(type)?.[1];
  if (boundary !== undefined)
    return new Map(
      body
        .split(`--${boundary}`)
        .slice(1, -1)
        .flatMap((part) => [...partsOf(part.replace(/^\r\n/, ''))]),
    );
  const encoding = /^content-transfer-encoding: (.*)$/im.exec(head!)?.[1]?.trim() ?? '7bit';
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? Buffer.from(
            body
              .replaceAll(/=\r\n/g, '')
              .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
                String.fromCharCode(Number.parseInt(hex, 16)),
              ),
            'latin1',
          )
        : Buffer.from(body);
  return new Map([[type.split(';')[0]!.trim(), bytes.toString('utf8')]]);
}
