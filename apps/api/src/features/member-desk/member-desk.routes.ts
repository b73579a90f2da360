import { getDeskMember, liftSuppression, searchMembers } from '@tidings/contracts/desk/members'
import { registerDesk } from '#features/desk/index.ts'
import type { App } from '#http/app-type.ts'
import type { MemberDesk } from './member-desk.service.ts'

export function registerMemberDesk(app: App, desk: MemberDesk): void {
  registerDesk(app, searchMembers, ({ requester, query, body }) => desk.search(requester, body, query))

  registerDesk(app, getDeskMember, ({ requester, params }) => desk.read(requester, params.id))

  registerDesk(app, liftSuppression, ({ requester, params }) => desk.lift(requester, params.id))
}
