import { urlOf } from '@tidings/contracts/endpoint'
import { type MemoEvent, memoEvent, type NewMemoEvent, newMemoEvent } from '@tidings/contracts/live-feed'
import { type TypingEvent, typingEvent } from '@tidings/contracts/membership/comments'
import { liveFeed } from '@tidings/contracts/routes'
import { onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { waitOptions } from './wait-options.ts'

/** The client of a socket. */
export type OpenSocket<Frame> = {
  socket: WebSocket
  /** The received frames, parsed with the contract's schema. */
  frames: Frame[]
  /** Resolves when the connection closes. */
  closed: Promise<{ code: number; reason: string }>
  /** Resolves when this many frames were received. */
  receive(count: number): Promise<void>
}

/** A reader of the live feed. */
export type LiveClient = OpenSocket<MemoEvent> & {
  /** Returns the titles of the new memos, in order. */
  titles(): string[]
}

/** A reader of a comment channel, who also receives the live feed. */
export type ChannelClient = OpenSocket<TypingEvent | NewMemoEvent> & {
  /** Returns the ids of the members in TYPING events, in order. */
  writers(): string[]
}

export type LiveClientOptions = {
  cookie?: string
  origin?: string
  autoPong?: boolean
  /** The client address that a proxy sends. */
  from?: string
  authorization?: string
  /** Subprotocols of the handshake. */
  protocols?: string[]
}

/** Opens `/socket` of the API at `url`; rejects with the status of a refused handshake. */
export async function connectLive(url: string, options: LiveClientOptions = {}): Promise<LiveClient> {
  const client = await openSocket(new URL(urlOf(liveFeed), url), memoEvent, options)
  const titles = () =>
    client.frames.flatMap((frame) => (frame.event === 'NEW_MEMO' ? [frame.data.title] : []))
  return { ...client, titles }
}

/** Opens `/socket?channel=…` with this query. */
export async function connectChannel(
  url: string,
  query: { channel: string; publicKey?: string; token?: string },
  options: LiveClientOptions = {},
): Promise<ChannelClient> {
  const address = new URL(urlOf(liveFeed, { query }), url)
  const client = await openSocket(
    address,
    z.discriminatedUnion('event', [typingEvent.strict(), newMemoEvent]),
    options,
  )
  const writers = () =>
    client.frames.flatMap((frame) => (frame.event === 'TYPING' ? [frame.data.member.id] : []))
  return { ...client, writers }
}

/** Opens a socket whose frames have a schema; rejects with the status of a refused handshake. */
export async function openSocket<Frame>(
  url: URL,
  schema: { parse(value: unknown): Frame },
  { cookie, origin, autoPong = true, from, authorization, protocols = [] }: LiveClientOptions,
): Promise<OpenSocket<Frame>> {
  const socket = new WebSocket(url.href.replace(/^http/, 'ws'), protocols, {
    autoPong,
    perMessageDeflate: false,
    headers: {
      ...(cookie === undefined ? {} : { cookie }),
      ...(origin === undefined ? {} : { origin }),
      ...(authorization === undefined ? {} : { authorization }),
      ...(from === undefined ? {} : { 'x-forwarded-for': from }),
    },
  })
  const frames: Frame[] = []
  socket.on('message', (data, isBinary) => {
    if (isBinary) throw new Error('A binary frame has arrived; the live feed sends text.')
    frames.push(schema.parse(JSON.parse(String(data))))
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
  )
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.on('error', reject)
  })
  onTestFinished(() => socket.terminate())
  return {
    socket,
    frames,
    closed,
    receive: (count) =>
      vi.waitFor(() => {
        if (frames.length < count) throw new Error(`${frames.length} of ${count} frames have arrived`)
      }, waitOptions),
  }
}
