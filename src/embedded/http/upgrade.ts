import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Channel } from '../../kube/transport.ts';
import { openChannel } from './open-channel.ts';
import type { Arrival, Serving } from './serving.ts';
import { statusOf } from './status-of.ts';

/** Answers a request to speak WebSocket (`kubectl exec`). A refusal is an ordinary HTTP answer with its `Status`. */
export async function upgrade(
  serving: Serving,
  arrival: Arrival,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  let channel: Channel;
  try {
    const protocols = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
    channel = await openChannel(serving, arrival, protocols);
  } catch (error) {
    const { status } = statusOf(serving, arrival, error);
    return refuse(socket, status.code, JSON.stringify(status));
  }
  const { WebSocketServer } = await import('ws');
  socket.once('close', () => channel.close());
  arrival.signal?.addEventListener('abort', () => channel.close(), { once: true });
  // The client may have left, or the server begun to close, while the command was being started.
  if (socket.destroyed || arrival.signal?.aborted) {
    channel.close();
    socket.destroy();
    return;
  }
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: 1024 * 1024,
    handleProtocols: () => channel.protocol,
  });
  server.handleUpgrade(request, socket, head, async (websocket) => {
    await relay(channel, websocket);
    // A client that does not hear the farewell must not keep the server from closing.
    if (arrival.signal?.aborted) socket.end(() => socket.destroy());
  });
}

async function relay(channel: Channel, websocket: WebSocket): Promise<void> {
  websocket.on('message', (data: Buffer) => channel.send(data));
  websocket.on('close', () => channel.close());
  websocket.on('error', () => channel.close());
  for await (const message of channel.messages) {
    // One message at a time: a client that does not read must not make the server keep what it did not read.
    await new Promise<void>((resolve) => websocket.send(message, { binary: true }, () => resolve()));
  }
  websocket.close(1000);
}

function refuse(socket: Duplex, code: number, body: string): void {
  const lines = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
