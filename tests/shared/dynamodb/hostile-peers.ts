import type { Socket } from 'node:net';

const HEADERS = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const IN_CHUNKS = `${HEADERS}Transfer-Encoding: chunked\r\n\r\n`;

/** What the client says if only the time-out ends it. */
export const LATE = /no reply within/;

/** Every way of not answering that Node.js tells apart, what the client then says, and what comes over its connection. */
export const HOSTILE_PEERS: readonly [does: string, says: RegExp, answer: (socket: Socket) => unknown][] = [
  [
    'switches to a protocol that nobody asked for',
    /status 101/,
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nx'),
  ],
  ['sends a 102 again and again', LATE, (socket) => repeat(socket, 'HTTP/1.1 102 Processing\r\n\r\n', 10)],
  ['sends no body', LATE, (socket) => socket.write(`${HEADERS}Content-Length: 9\r\n\r\n`)],
  ['sends a body byte by byte', LATE, (socket) => repeat(socket, '1\r\n \r\n', 10, IN_CHUNKS)],
  ['closes the connection', /socket hang up/, (socket) => socket.end()],
  ['closes the connection within the body', /aborted/, (socket) => socket.end(`${HEADERS}Content-Length: 9\r\n\r\n{`)],
  [
    'sends headers without an end',
    /Header overflow/i,
    (socket) => repeat(socket, `X: ${'x'.repeat(4_000)}\r\n`, 0, HEADERS),
  ],
  [
    'sends a body without an end',
    /more than \d+ /,
    (socket) => repeat(socket, `80000\r\n${'x'.repeat(0x80000)}\r\n`, 0, IN_CHUNKS),
  ],
  ['speaks another protocol', /Parse Error/, (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n')],
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
