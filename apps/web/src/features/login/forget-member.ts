import { removeDrafts } from '#lib/member/member-drafts.ts'
import type { Services } from '#lib/services/services.tsx'
import { forgetSignUp } from './sign-up.ts'

/** Removes what a member left in this tab once their session ends, and at the start what an ended one left. */
export function forgetFormerMembers({ memberSession, sessionStore }: Services): void {
  if (!memberSession.isLoggedIn()) removeDrafts(sessionStore, { except: null })
  memberSession.subscribe(({ hasLeft }) => {
    if (!hasLeft) return
    forgetSignUp(sessionStore)
    removeDrafts(sessionStore, { except: null })
  })
}
