import { type TypingEvent, typingEvent } from '@tidings/contracts/comments'
import { type NewMemoEvent, newMemoEvent } from '@tidings/contracts/live-feed'
import { onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { waitOptions } from './wait-options.ts'

/** A page's end of a socket. */
export type OpenSocket<Frame> = {
  socket: WebSocket
  /** The frames that have come, each of the form that the contract promises. */
  frames: Frame[]
  /** How the connection ended, once it has. */
  closed: Promise<{ code: number; reason: string }>
  /** Resolves when so many frames have come. */
  receive(count: number): Promise<void>
}

/** A reader's end of the live feed. */
export type LiveClient = OpenSocket<NewMemoEvent> & {
  /** Titles of the memos that have come, in order. */
  titles(): string[]
}

/** A reader's end of a channel: what comes from its members, and the live feed with it. */
export type ChannelClient = OpenSocket<TypingEvent | NewMemoEvent> & {
  /** Ids of the members who were said to be writing, in order. */
  writers(): string[]
}

export type LiveClientOptions = {
  cookie?: string
  origin?: string
  autoPong?: boolean
  /** The address that a proxy in front names. */
  from?: string
}

/** Opens `/socket` of the API at `url`; resolves when it is open, rejects with the status when it is refused. */
export async function connectLive(url: string, options: LiveClientOptions = {}): Promise<LiveClient> {
  const client = await open(new URL('/socket', url), newMemoEvent, options)
  return { ...client, titles: () => client.frames.map(({ data }) => data.title) }
}

/** Opens `/socket?channel=…` likewise, with whatever else stands in the query. */
export async function connectChannel(
  url: string,
  query: { channel: string; publicKey?: string; token?: string },
  options: LiveClientOptions = {},
): Promise<ChannelClient> {
  const address = new URL(`/socket?${new URLSearchParams(query)}`, url)
  const client = await open(
    address,
    z.discriminatedUnion('event', [typingEvent.strict(), newMemoEvent]),
    options,
  )
  const writers = () =>
    client.frames.flatMap((frame) => (frame.event === 'TYPING' ? [frame.data.member.id] : []))
  return { ...client, writers }
}

async function open<Frame>(
  url: URL,
  schema: { parse(value: unknown): Frame },
  { cookie, origin, autoPong = true, from }: LiveClientOptions,
): Promise<OpenSocket<Frame>> {
  const socket = new WebSocket(url.href.replace(/^http/, 'ws'), {
    autoPong,
    perMessageDeflate: false,
    headers: {
      ...(cookie === undefined ? {} : { cookie }),
      ...(origin === undefined ? {} : { origin }),
      ...(from === undefined ? {} : { 'x-forwarded-for': from }),
    },
  })
  const frames: Frame[] = []
  socket.on('message', (data, isBinary) => {
    if (isBinary) throw new Error('A binary frame came; the live feed speaks text.')
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
        if (frames.length < count) throw new Error(`${frames.length} of ${count} frames have come`)
      }, waitOptions),
  }
}
