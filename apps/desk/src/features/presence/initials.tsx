import './presence.css'
import { useYou } from '#lib/desk-context.ts'
import { type Present, useOthersIn } from '#lib/events/presence.ts'
import { initialsOf } from '#lib/initials.ts'

/** The initials of the others who have a memo or article open. */
export function InitialsIn({ kind, id }: { kind: 'memo' | 'article'; id: string }) {
  return <InitialsOf people={useOthersIn([id])} label={`In this ${kind}`} />
}

/** The initials of everyone in one of these texts, the person themselves first. Nothing if no one else is there. */
export function InitialsHere({ ids, label }: { ids: readonly string[]; label: string }) {
  const { name } = useYou()
  const others = useOthersIn(ids)
  if (others.length === 0) return null
  return (
    <div className="presence-here">
      <span className="presence-initials presence-own" title={name} aria-hidden="true">
        {initialsOf(name)}
      </span>
      <InitialsOf people={others} label={label} />
    </div>
  )
}

function InitialsOf({ people, label }: { people: readonly Present[]; label: string }) {
  if (people.length === 0) return null
  return (
    <ul className="presence-people" aria-label={label}>
      {people.map(({ kind, id, name }) => (
        <li key={`${kind} ${id}`} className="presence-initials" title={name}>
          <span aria-hidden="true">{initialsOf(name)}</span>
          <span className="visually-hidden">{name}</span>
        </li>
      ))}
    </ul>
  )
}
