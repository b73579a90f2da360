import { useState } from 'react'
import { useOthersIn, usePresenceIn } from '#lib/events/presence.ts'
import { firstNameOf } from '#lib/initials.ts'

/** Whether another person is in a text in which this person doesn't write yet. It is never a lock. */
export type Occupied = {
  /** The names of the others; null if the person writes, or no one else is there. */
  names: string | null
  isOne: boolean
  /** Lets the person write, too. */
  join: () => void
}

/** Tells the others which memo or article is open here, and returns whether one of them was first. */
export function useOccupied(kind: 'memo' | 'article', id: string): Occupied {
  usePresenceIn(kind === 'memo' ? { memo: id } : { article: id })
  const [hasJoined, setHasJoined] = useState(false)
  const names = useOthersIn([id]).map(({ name }) => firstNameOf(name))
  return {
    names: hasJoined || names.length === 0 ? null : new Intl.ListFormat('en').format(names),
    isOne: names.length === 1,
    join: () => setHasJoined(true),
  }
}
