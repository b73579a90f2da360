import { Link } from '@tanstack/react-router'
import { useYou } from '#lib/desk-context.ts'

// Otherwise the router marks also those that the address begins with.
const exactly = { exact: true }

/** The title of both screens, and the way between them. */
export function PeopleHead({ current }: { current: 'people' | 'log' }) {
  const isOwner = useYou().roles.includes('owner')
  return (
    <header className="people-head">
      <h1>People</h1>
      <nav aria-label="People" className="tabs">
        <Link to="/people" activeOptions={exactly} aria-current={current === 'people' ? 'page' : undefined}>
          {isOwner ? 'People and keys' : 'People'}
        </Link>
        <Link to="/people/log" activeOptions={exactly} aria-current={current === 'log' ? 'page' : undefined}>
          Log
        </Link>
      </nav>
    </header>
  )
}
