import { type DeskActor, deskActor, presenceSeconds } from '@tidings/contracts/desk/events'
import { z } from 'zod'
import type { Clock } from '#platform/clock.ts'
import type { NotificationChannel } from '#platform/notifications/notifications.ts'
import { parseJson } from '#platform/parse-json.ts'

export const presenceChannel: NotificationChannel = 'tidings_desk_presence'

/** The message of a process about one of its sockets: the open memo or article, or that it has closed. */
const sighting = z.object({
  socket: z.string(),
  actor: deskActor,
  memo: z.uuid().nullable(),
  // A process of an earlier version doesn't send it.
  article: z.uuid().nullable().default(null),
  isOpen: z.boolean(),
})
export type Sighting = z.infer<typeof sighting>

type Seen = Pick<Sighting, 'actor' | 'memo' | 'article'> & { at: number }

/** A person at the desk, and the texts that they have open. */
type Person = { actor: DeskActor; memos: Set<string>; articles: Set<string> }

/** Keeps who is at the desk, of all processes. Each process keeps its own picture, from what all of them send. */
export function createPresence({ clock }: { clock: Clock }) {
  const seen = new Map<string, Seen>()

  return {
    /** Stores a message of a process. Ignores those that only a newer process knows. */
    receive(payload: string): void {
      const { data } = sighting.safeParse(parseJson(payload))
      if (data === undefined) return
      const { socket, isOpen, ...there } = data
      if (isOpen) seen.set(socket, { ...there, at: clock.now().getTime() })
      else seen.delete(socket)
    },

    /** Removes the sockets without a heartbeat for too long, as of a process that was killed. */
    expire(): void {
      const oldest = clock.now().getTime() - presenceSeconds.goneAfter * 1000
      for (const [socket, { at }] of seen) if (at <= oldest) seen.delete(socket)
    },

    /** Forgets everything, after an interruption in which sightings were lost. */
    clear: (): void => seen.clear(),

    /** Returns the event of who is there; several sockets of a person are one. */
    toFrame(): string {
      const people = new Map<string, Person>()
      for (const { actor, memo, article } of seen.values()) {
        const name = `${actor.name} ${actor.kind} ${actor.id}`
        const person = people.get(name) ?? { actor, memos: new Set(), articles: new Set() }
        if (memo !== null) person.memos.add(memo)
        if (article !== null) person.articles.add(article)
        people.set(name, person)
      }
      const sorted = [...people].toSorted(([one], [other]) => (one < other ? -1 : 1))
      return JSON.stringify({
        type: 'presence',
        people: sorted.map(([, { actor, memos, articles }]) => ({
          ...actor,
          memos: [...memos].toSorted(),
          articles: [...articles].toSorted(),
        })),
      })
    },
  }
}
