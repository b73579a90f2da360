import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { dataOf } from '../../envelope.ts'
import { describedError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { deskRole } from '../desk.ts'
import { ownerEndpoint } from '../desk-endpoint.ts'
import * as routes from '../routes.ts'
import { creationOptions, passkeyCreation } from './passkeys.ts'
import { personName, you } from './you.ts'

export const roleList = z
  .array(deskRole)
  .min(1)
  .max(4)
  .refine((roles) => new Set(roles).size === roles.length, 'must not contain duplicates')

export const invitation = z.object({
  id: z.uuid(),
  email: z.string(),
  roles: z.array(deskRole).describe('Added to the roles that the person has already'),
  invitedBy: z.string().nullable().describe('The name of the owner; null for an invitation by a command'),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type DeskInvitation = z.infer<typeof invitation>

/** An invitation as the owner who made it gets it. */
export const madeInvitation = invitation.extend({
  link: z
    .url()
    .nullable()
    .describe(
      'What the email contains. Hand it over if that does not arrive; it is in this reply only. Null for someone who works here already: it would let others act under their name',
    ),
})

const openInvitation = invitation.omit({ id: true, createdAt: true }).extend({
  name: z.string().nullable().describe('The name of a person who gets a new passkey; null for a new person'),
  passkeys: z.boolean().describe('Whether it is accepted with a passkey; false on plain HTTP'),
  endsLogins: z.boolean().describe('Whether accepting it ends passkeys or sessions that the person has'),
})
export type OpenInvitation = z.infer<typeof openInvitation>

const tag = 'Desk: people'

export const listInvitations = ownerEndpoint(routes.listInvitations, {
  tag,
  summary: 'Lists the open invitations, newest first',
  reply: dataOf(z.array(invitation)),
})

export const invite = ownerEndpoint(routes.invite, {
  tag,
  summary: 'Emails an invitation, and returns the link of a new person',
  description: `Its link works once, within ${limits.invitationDays} days, and replaces an earlier one. Someone who works here already gets a new passkey by it: accepting it ends the old passkeys and sessions.`,
  body: z.strictObject({ email: z.string().max(320), roles: roleList }),
  reply: dataOf(madeInvitation),
  statuses: [201],
})

export const withdrawInvitation = ownerEndpoint(routes.withdrawInvitation, {
  tag,
  summary: 'Withdraws an open invitation',
  params: z.object({ id: z.uuid('must be an id') }),
  reply: dataOf(invitation),
})

const linkTag = 'Desk: sessions'
const linkParams = z.object({ token: z.string().max(200) })
const linkErrors = {
  400: describedError('The request is invalid, or the passkey was refused'),
  403: describedError('The request comes from a page of another origin, or lacks the header X-Desk'),
  410: describedError('The invitation was used, withdrawn or replaced, has expired, or never existed'),
  429: describedError('Too many attempts from this network'),
} as const

export const openInvitationLink = endpoint(routes.openInvitationLink, {
  access: 'public',
  tag: linkTag,
  summary: 'Returns the invitation behind a link, without using it up',
  params: linkParams,
  reply: dataOf(openInvitation),
  errors: linkErrors,
})

export const requestInvitationOptions = endpoint(routes.requestInvitationOptions, {
  access: 'public',
  tag: linkTag,
  summary: 'Returns the options for the first passkey',
  params: linkParams,
  body: z.strictObject({ name: personName }),
  reply: dataOf(creationOptions),
  errors: { ...linkErrors, 409: describedError('Passkeys need HTTPS or localhost') },
})

export const acceptInvitation = endpoint(routes.acceptInvitation, {
  access: 'public',
  tag: linkTag,
  summary: 'Accepts an invitation with a first passkey, and signs in',
  params: linkParams,
  body: z.strictObject({
    name: personName,
    response: passkeyCreation.optional().describe('Left out where passkeys are unavailable'),
  }),
  reply: dataOf(you),
  statuses: [201],
  errors: linkErrors,
})
