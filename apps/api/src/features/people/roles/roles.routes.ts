import { changeRoles, listPeople, recoverPerson, removePerson } from '@tidings/contracts/desk/people/people'
import { registerDesk } from '#features/desk/index.ts'
import type { App } from '#http/app-type.ts'
import type { InvitationService } from '../invitations/invitations.service.ts'
import type { PeopleService } from './people.service.ts'

type Deps = { people: PeopleService; invitations: InvitationService }

/** Registers the people of the desk and their roles. */
export function registerRoles(app: App, { people, invitations }: Deps): void {
  registerDesk(app, listPeople, ({ requester }) => people.list(requester))
  registerDesk(app, changeRoles, ({ requester, params, body }) =>
    people.changeRoles(requester, params.id, body.roles),
  )
  registerDesk(app, removePerson, ({ requester, params }) => people.remove(requester, params.id))
  registerDesk(app, recoverPerson, ({ requester, params }) => invitations.recover(requester, params.id))
}
