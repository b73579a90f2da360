import '#styles/account.css'
import '#styles/dashboard.css'
import '#features/account/plans.css'
import { Link } from '@tanstack/react-router'
import type { Member } from '@tidings/contracts/membership/members'
import type { ReactNode } from 'react'
import { LoadingSkeleton } from '#components/loading-skeleton.tsx'
import { Notice } from '#components/notice.tsx'
import { Screen } from '#components/screen.tsx'
import { errorText } from '#lib/api/error-text.ts'
import { useMember } from '#lib/member/use-member.ts'

type AccountScreenProps = { title: string; children: (member: Member) => ReactNode }

/** A screen about the member's own account, once the member is known. */
export function AccountScreen({ title, children }: AccountScreenProps) {
  const { data: member, error, refetch } = useMember()
  return (
    <Screen title={title} className="account">
      <h1>{title}</h1>
      {member != null ? (
        children(member)
      ) : error === null ? (
        <LoadingSkeleton />
      ) : (
        <Notice text={errorText(error)}>
          <button type="button" className="link" onClick={() => void refetch()}>
            Try again
          </button>
        </Notice>
      )}
      {member != null ? null : (
        <nav className="foot-links" aria-label="Elsewhere">
          <Link to="/home">View memos</Link>
        </nav>
      )}
    </Screen>
  )
}
