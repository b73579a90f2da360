import './people.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Failure } from '#components/failure.tsx'
import { useYou } from '#lib/desk-context.ts'
import { peopleQuery } from '#lib/people-query.ts'
import { useProof } from '#lib/proof/use-proof.tsx'
import { InvitationForm } from './invitation-form.tsx'
import { Invitations } from './invitations.tsx'
import { Keys } from './keys.tsx'
import { LogRows } from './log-rows.tsx'
import { logPages } from './people-calls.ts'
import { PeopleHead } from './people-head.tsx'
import { PersonRow } from './person-row.tsx'

/** Lists who works at the desk; owners invite, give roles, remove, and make keys for scripts. */
export function PeopleScreen() {
  const isOwner = useYou().roles.includes('owner')
  const { data: people, error } = useQuery(peopleQuery)
  const { dialog, withProof } = useProof()
  const owners = people?.filter(({ roles }) => roles.includes('owner')).length ?? 0
  return (
    <div className="page people">
      <PeopleHead current="people" />
      <div className="people-columns">
        <div>
          <Failure text={error?.message ?? null} />
          {people === undefined && error === null && (
            <p role="status" className="loading">
              Loading the people…
            </p>
          )}
          <ul aria-label="People" className="people-rows">
            {people?.map((person) => (
              <PersonRow
                key={person.id}
                person={person}
                isLastOwner={person.roles.includes('owner') && owners === 1}
                withProof={isOwner ? withProof : null}
              />
            ))}
          </ul>
          {isOwner && (
            <>
              <Invitations withProof={withProof} />
              <InvitationForm withProof={withProof} />
            </>
          )}
          <p className="meta people-note">
            <b>Writers</b> write and say “ready”. <b>Editors</b> also publish, send and moderate.{' '}
            <b>Moderators</b> only moderate. <b>Owners</b> also decide who is here.
          </p>
          {isOwner && <Keys withProof={withProof} />}
        </div>
        <Lately />
      </div>
      {dialog}
    </div>
  )
}

function Lately() {
  const { data, error } = useInfiniteQuery(logPages({}, 10))
  const entries = data?.pages[0]?.data ?? []
  return (
    <aside aria-labelledby="lately" className="people-lately">
      <div className="people-title">
        <h2 id="lately">Lately</h2>
        <Link to="/people/log">The whole log</Link>
      </div>
      <Failure text={error?.message ?? null} />
      {data !== undefined && entries.length === 0 && <p className="meta">Nothing was changed yet.</p>}
      <LogRows entries={entries} />
    </aside>
  )
}
