import { Link } from '@tanstack/react-router'
import { useYou } from '#lib/desk-context.ts'

/** The title of both screens, and the way between them. */
export function PeopleHead({ current }: { current: 'people' | 'log' }) {
  const isOwner = useYou().roles.includes('owner')
  return (
    <header className="people-head">
      <h1>People</h1>
      <nav aria-label="People" className="tabs">
        <Link to="/people" aria-current={current === 'people' ? 'page' : undefined}>
          {isOwner ? 'People and keys' : 'People'}
        </Link>
        <Link to="/people/log" aria-current={current === 'log' ? 'page' : undefined}>
          Log
        </Link>
      </nav>
    </header>
  )
}
