import { z } from 'zod'
import { dataOf } from '../../envelope.ts'
import { describedError } from '../../errors.ts'
import { deskRole } from '../desk.ts'
import { ownerEndpoint, personEndpoint } from '../desk-endpoint.ts'
import * as routes from '../routes.ts'
import { madeInvitation, roleList } from './invitations.ts'

export const deskPerson = z.object({
  id: z.uuid(),
  name: z.string(),
  roles: z.array(deskRole),
  email: z.string().nullable().describe('Only owners see it; null for others'),
  passkeys: z.int().optional().describe('How many this person has; only in the list, for owners'),
  lastSeenAt: z.iso
    .datetime()
    .nullish()
    .describe('When a session was last used that is still open; only in the list, for owners'),
})
export type DeskPerson = z.infer<typeof deskPerson>

const tag = 'Desk: people'
const params = z.object({ id: z.uuid('must be an id') })
const lastOwner = { 409: describedError('This is the last owner') } as const

export const listPeople = personEndpoint(routes.listPeople, {
  tag,
  summary: 'Lists the people of the desk, by name',
  reply: dataOf(z.array(deskPerson)),
})

export const changeRoles = ownerEndpoint(routes.changeRoles, {
  tag,
  summary: "Changes a person's roles, at once",
  params,
  body: z.strictObject({ roles: roleList }),
  reply: dataOf(deskPerson),
  errors: lastOwner,
})

export const removePerson = ownerEndpoint(routes.removePerson, {
  tag,
  summary: 'Removes a person with their passkeys and sessions, at once',
  description: 'The audit log keeps their name.',
  params,
  reply: dataOf(deskPerson),
  errors: lastOwner,
})

export const recoverPerson = ownerEndpoint(routes.recoverPerson, {
  tag,
  summary: 'Emails a person who lost their passkeys an invitation to a new one',
  description: 'Accepting it ends the old passkeys and sessions.',
  params,
  reply: dataOf(madeInvitation),
  statuses: [201],
})
