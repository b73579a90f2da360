import { type NewMemoEvent, newMemoEvent } from '@tidings/contracts/live-feed'
import { onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'

/** A reader's end of the live feed. */
export type LiveClient = {
  socket: WebSocket
  /** The frames that have come, each of the form that the contract promises. */
  frames: NewMemoEvent[]
  /** Titles of the memos that have come, in order. */
  titles(): string[]
  /** How the connection ended, once it has. */
  closed: Promise<{ code: number; reason: string }>
  /** Resolves when so many frames have come. */
  receive(count: number): Promise<void>
}

export type LiveClientOptions = { cookie?: string; origin?: string; autoPong?: boolean }

const patienceMs = 20_000

/** Opens `/socket` of the API at `url`; resolves when it is open, rejects with the status when it is refused. */
export async function connectLive(
  url: string,
  { cookie, origin, autoPong = true }: LiveClientOptions = {},
): Promise<LiveClient> {
  const address = new URL('/socket', url.replace(/^http/, 'ws'))
  const socket = new WebSocket(address, {
    autoPong,
    perMessageDeflate: false,
    headers: {
      ...(cookie === undefined ? {} : { cookie }),
      ...(origin === undefined ? {} : { origin }),
    },
  })
  const frames: NewMemoEvent[] = []
  socket.on('message', (data, isBinary) => {
    if (isBinary) throw new Error('A binary frame came; the live feed speaks text.')
    frames.push(newMemoEvent.parse(JSON.parse(String(data))))
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
    titles: () => frames.map(({ data }) => data.title),
    closed,
    receive: (count) =>
      vi.waitFor(
        () => {
          if (frames.length < count) throw new Error(`${frames.length} of ${count} frames have come`)
        },
        { timeout: patienceMs, interval: 10 },
      ),
  }
}
