import { useIsLoggedIn } from '#lib/member/use-session.ts'
import { useIdleComponent } from '#lib/services/use-idle-component.ts'

const load = async () => (await import('./member-visit.tsx')).MemberVisit

/** Renews and offers notifications at each visit of a member, once the page is idle. */
export function LazyMemberVisit() {
  const isLoggedIn = useIsLoggedIn()
  const MemberVisit = useIdleComponent(isLoggedIn ? load : null)
  return isLoggedIn && MemberVisit !== null ? <MemberVisit /> : null
}
