import { type DeskEvent, deskEvent } from '@tidings/contracts/desk/events'
import { urlOf } from '@tidings/contracts/endpoint'
import { deskSocket } from '@tidings/contracts/routes'
import { expect, vi } from 'vitest'
import { type LiveClientOptions, type OpenSocket, openSocket } from '../live-client.ts'
import { waitOptions } from '../wait-options.ts'

/** An open desk. */
export type DeskClient = OpenSocket<DeskEvent> & {
  /** Sends a heartbeat with the open memo. */
  enter(memo: string | null): void
  /** Sends a heartbeat with the open article. */
  enterArticle(article: string): void
  /** Returns who is there, as of the last event: the open memos and articles by name. */
  people(): Record<string, string[]>
  /** Resolves when exactly these editors are there, with these open memos and articles. */
  sees(people: Record<string, string[]>): Promise<void>
  /** Returns the events of a type, in order. */
  of<Type extends DeskEvent['type']>(type: Type): Extract<DeskEvent, { type: Type }>[]
}

/** Opens `/desk/socket` of the API at `url`; rejects with the status of a refused handshake. */
export async function connectDesk(url: string, options: LiveClientOptions): Promise<DeskClient> {
  const client = await openSocket(new URL(urlOf(deskSocket), url), deskEvent, options)
  const of = <Type extends DeskEvent['type']>(type: Type) =>
    client.frames.filter((frame): frame is Extract<DeskEvent, { type: Type }> => frame.type === type)
  const people = () =>
    Object.fromEntries(
      of('presence')
        .at(-1)
        ?.people.map(({ name, memos, articles }) => [name, [...memos, ...articles]]) ?? [],
    )
  return {
    ...client,
    of,
    people,
    enterArticle: (article) => client.socket.send(JSON.stringify({ type: 'presence', memo: null, article })),
    enter: (memo) => client.socket.send(JSON.stringify({ type: 'presence', memo })),
    sees: (expected) => vi.waitFor(() => expect(people()).toEqual(expected), waitOptions),
  }
}
