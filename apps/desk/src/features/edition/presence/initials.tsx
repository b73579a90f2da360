import { useYou } from '#lib/desk-context.ts'
import { type Present, useOthers } from '#lib/events/presence.ts'
import { initialsOf } from '#lib/initials.ts'

/** The initials of the others who have a memo open. */
export function MemoInitials({ id }: { id: string }) {
  const others = useOthers().filter(({ memos }) => memos.includes(id))
  return <InitialsOf people={others} label="In this memo" />
}

/** The initials of everyone who has a memo of an edition open, the person themselves first. */
export function EditionInitials({ ids }: { ids: readonly string[] }) {
  const { name } = useYou()
  const others = useOthers().filter(({ memos }) => memos.some((id) => ids.includes(id)))
  if (others.length === 0) return null
  return (
    <div className="edition-here-now">
      <span className="edition-initials edition-own" title={name} aria-hidden="true">
        {initialsOf(name)}
      </span>
      <InitialsOf people={others} label="In this edition" />
    </div>
  )
}

function InitialsOf({ people, label }: { people: readonly Present[]; label: string }) {
  if (people.length === 0) return null
  return (
    <ul className="edition-people" aria-label={label}>
      {people.map(({ kind, id, name }) => (
        <li key={`${kind} ${id}`} className="edition-initials" title={name}>
          <span aria-hidden="true">{initialsOf(name)}</span>
          <span className="visually-hidden">{name}</span>
        </li>
      ))}
    </ul>
  )
}
