import type { Socket } from 'node:net';

/** What a server may do instead of answering a request, and what the client then says. */
export interface HostilePeer {
  readonly does: string;
  readonly says: RegExp;
  /** Whether only the time-out ends it. */
  readonly forever?: true;
  /** Misbehaves on the connection that a request came over. */
  answer(socket: Socket): void;
}

const HEADERS = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const IN_CHUNKS = `${HEADERS}Transfer-Encoding: chunked\r\n\r\n`;
const LATE = /in time|no reply within/;

/** Every way of not answering that Node.js tells apart. */
export const hostilePeers: readonly HostilePeer[] = [
  {
    does: 'switches to a protocol that nobody asked for',
    says: /status 101/,
    answer: (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nx'),
  },
  {
    does: 'sends a 102 again and again',
    says: LATE,
    forever: true,
    answer: (socket) => repeat(socket, 'HTTP/1.1 102 Processing\r\n\r\n', 10),
  },
  { does: 'says nothing', says: LATE, forever: true, answer: () => {} },
  {
    does: 'begins a header and says no more',
    says: LATE,
    forever: true,
    answer: (socket) => socket.write('HTTP/1.1 2'),
  },
  {
    does: 'sends no body',
    says: LATE,
    forever: true,
    answer: (socket) => socket.write(`${HEADERS}Content-Length: 9\r\n\r\n`),
  },
  { does: 'sends a body byte by byte', says: LATE, forever: true, answer: (socket) => drip(socket) },
  { does: 'closes the connection', says: /socket hang up/, answer: (socket) => socket.end() },
  { does: 'resets the connection', says: /ECONNRESET|socket hang up/, answer: (socket) => socket.resetAndDestroy() },
  {
    does: 'closes the connection within the body',
    says: /aborted/,
    answer: (socket) => socket.end(`${HEADERS}Content-Length: 9\r\n\r\n{`),
  },
  {
    does: 'resets the connection within the body',
    says: /aborted|ECONNRESET/,
    answer: (socket) => socket.write(`${IN_CHUNKS}1\r\n{\r\n`, () => socket.resetAndDestroy()),
  },
  {
    does: 'sends headers without an end',
    says: /Header overflow/i,
    answer: (socket) => repeat(socket, `X: ${'x'.repeat(4_000)}\r\n`, 0, HEADERS),
  },
  {
    does: 'sends a body without an end',
    says: /more than \d+ /,
    answer: (socket) => repeat(socket, `80000\r\n${'x'.repeat(0x80000)}\r\n`, 0, IN_CHUNKS),
  },
  { does: 'speaks another protocol', says: /Parse Error/, answer: (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n') },
];

/** Writes a text again and again, with a pause of some milliseconds, until the connection is closed. */
function repeat(socket: Socket, text: string, pause: number, first = ''): void {
  socket.on('error', () => {});
  const next = () => {
    if (socket.destroyed) return;
    socket.write(text, () => (pause ? setTimeout(next, pause) : setImmediate(next)));
  };
  socket.write(first, next);
}

function drip(socket: Socket): void {
  repeat(socket, '1\r\n \r\n', 10, IN_CHUNKS);
}
