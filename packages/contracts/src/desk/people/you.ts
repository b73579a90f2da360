import { z } from 'zod'
import { dataOf } from '../../envelope.ts'
import { describedError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { deskRole } from '../desk.ts'
import { personEndpoint } from '../desk-endpoint.ts'
import { changeOf, visibleLine } from '../fields.ts'
import * as routes from '../routes.ts'
import { creationOptions, passkeyAssertion, passkeyCreation, requestOptions } from './passkeys.ts'

export const personName = visibleLine(limits.personNameCharacters)

const passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
})

const session = z.object({
  id: z.uuid(),
  device: z.string().describe('The User-Agent of the browser'),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
  isCurrent: z.boolean(),
})

/** The person who is signed in. */
export const you = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  roles: z.array(deskRole),
  timeZone: z.string().nullable().describe("An IANA time zone; null for the browser's"),
  passkeys: z.array(passkey),
  proof: z
    .enum(['passkey', 'link'])
    .describe('How this person proves that it is them: by a passkey, or by a new link by email'),
  provedUntil: z.iso.datetime().nullable().describe('Until when sensitive changes ask for no proof'),
})
export type You = z.infer<typeof you>

const tag = 'Desk: sessions'
const idParams = z.object({ id: z.uuid('must be an id') })
const timeZone = z
  .string()
  .max(64)
  .refine((zone) => isTimeZone(zone), 'must be an IANA time zone, such as America/New_York')
  .nullable()
const passkeysUnavailable = {
  409: describedError('Passkeys need HTTPS or localhost, or this passkey is the only one'),
} as const

export const getYou = personEndpoint(routes.getYou, {
  tag,
  summary: 'Returns the person who is signed in',
  reply: dataOf(you),
})

export const changeYou = personEndpoint(routes.changeYou, {
  tag,
  summary: 'Changes your name or time zone',
  body: changeOf({ name: personName, timeZone }),
  reply: dataOf(you),
})

export const requestPasskeyOptions = personEndpoint(routes.requestPasskeyOptions, {
  tag,
  summary: 'Returns the options for another passkey',
  description: 'Asks for a proof, as every sensitive change.',
  reply: dataOf(creationOptions),
  errors: passkeysUnavailable,
})

export const addPasskey = personEndpoint(routes.addPasskey, {
  tag,
  summary: 'Adds a passkey',
  body: z.strictObject({ name: personName, response: passkeyCreation }),
  reply: dataOf(you),
  statuses: [201],
  errors: passkeysUnavailable,
})

export const removePasskey = personEndpoint(routes.removePasskey, {
  tag,
  summary: 'Removes a passkey, but not the last one',
  params: idParams,
  reply: dataOf(you),
  errors: passkeysUnavailable,
})

export const listSessions = personEndpoint(routes.listSessions, {
  tag,
  summary: 'Lists where you are signed in',
  reply: dataOf(z.array(session)),
})

export const endSession = personEndpoint(routes.endSession, {
  tag,
  summary: 'Ends one of your sessions, at once',
  params: idParams,
  reply: dataOf(z.array(session)),
})

export const requestProofOptions = personEndpoint(routes.requestProofOptions, {
  tag,
  summary: 'Returns the options for a proof by passkey',
  reply: dataOf(requestOptions),
  errors: passkeysUnavailable,
})

export const giveProof = personEndpoint(routes.giveProof, {
  tag,
  summary: 'Proves that it is you',
  description: `For ${limits.deskProofMinutes} minutes, sensitive changes then ask for no other proof.`,
  body: z.strictObject({ response: passkeyAssertion }),
  reply: dataOf(you),
})

export const signOut = personEndpoint(routes.signOut, {
  tag,
  summary: 'Ends this session',
  reply: dataOf(z.object({ signedIn: z.literal(false) })),
})

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
