import './members.css'
import './members-narrow.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { FoundMember, MemberCounts } from '@tidings/contracts/desk/members'
import type { ComponentProps } from 'react'
import { ListEnd } from '#components/list-end.tsx'
import { useYou } from '#lib/desk-context.ts'
import { memberPages, memberSearchOf } from './member-calls.ts'
import { MemberPage } from './member-page.tsx'
import { MemberSearchField } from './member-search-field.tsx'
import { memberName, planWord } from './member-words.ts'
import { soughtQuery } from './sought.ts'

/** Finds members, and shows one with their deliveries. */
export function MembersScreen() {
  const isAllowed = useYou().roles.some((role) => role === 'editor' || role === 'owner')
  if (isAllowed) return <Members />
  return (
    <div className="page narrow">
      <h1>Members</h1>
      <p>Editors and owners look after members. Ask one of them.</p>
    </div>
  )
}

function Members() {
  const { id } = useParams({ strict: false })
  const address = useSearch({ from: '/frame/members' })
  const { show } = address
  const { data: words } = useQuery(soughtQuery)
  const search = show === 'suppressed' ? { suppressed: true as const } : memberSearchOf(words)
  const list = useInfiniteQuery(memberPages(search))
  const members = list.data?.pages.flatMap(({ data }) => data) ?? []
  const navigate = useNavigate()
  return (
    <div className={id === undefined ? 'members' : 'members members-open'}>
      <header className="members-bar">
        <h1>Members</h1>
        <MemberSearchField
          count={list.isSuccess && search !== null ? countText(list.data.pages[0]?.counts) : ''}
          onSearch={() => {
            if (show !== undefined) void navigate({ to: '/members', search: {}, replace: true })
          }}
        />
        <Link
          to="/members"
          search={show === undefined ? { show: 'suppressed' } : {}}
          className="members-show"
          aria-current={show === undefined ? undefined : 'true'}
          activeOptions={{ exact: true }}
        >
          Suppressed
        </Link>
        <p className="members-hint">By name, email, phone or id</p>
      </header>
      <div className="members-columns">
        <section aria-label="Found members" className="members-list">
          {search === null ? (
            <p className="meta members-empty">Type a name, or a whole email, phone number or id.</p>
          ) : (
            <Found list={list} members={members} address={address} />
          )}
        </section>
        <section aria-label="Member" className="members-one">
          {id === undefined ? (
            <p className="meta members-empty">Open a member to see plan, choices and deliveries.</p>
          ) : (
            <MemberPage key={id} id={id} />
          )}
        </section>
      </div>
    </div>
  )
}

type FoundProps = {
  list: ComponentProps<typeof ListEnd>['list']
  members: readonly FoundMember[]
  address: { show?: 'suppressed' }
}

function Found({ list, members, address }: FoundProps) {
  return (
    <>
      <ul>
        {members.map((member) => (
          <li key={member.id}>
            <Link to="/members/$id" params={{ id: member.id }} search={address} className="members-row">
              <span className="members-name">{memberName(member)}</span>
              <span className="meta">
                {member.name === null ? '' : `${member.email} · `}
                {planWord(member.plans)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <ListEnd list={list} loading="Searching…">
        {members.length === 0 && <p className="meta members-empty">Nobody is like that.</p>}
      </ListEnd>
    </>
  )
}

/** Returns `4 of 14,208`. */
function countText(counts: MemberCounts | null | undefined): string {
  if (counts === null || counts === undefined) return ''
  const { found, isExact, members } = counts
  return `${isExact ? '' : 'over '}${found.toLocaleString('en')} of ${members.toLocaleString('en')}`
}
