import { z } from 'zod'
import { deliveryMethod, foundDelivery, pdfFormat } from '../delivery/deliveries.ts'
import { dataOf, listQuery, pageOf } from '../envelope.ts'
import { deliveryObstacle } from '../membership/deliveries.ts'
import { planConnectionSchema } from '../membership/members.ts'
import { deskEndpoint } from './desk-endpoint.ts'
import { findText } from './find.ts'
import * as routes from './routes.ts'

const memberId = z.string().regex(/^mem_[0-9A-Za-z]{1,28}$/, "must be a member's id")
const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be one line')

/** Body of `POST /desk/v1/members/search`: whom to find. */
export const memberSearch = z
  .union(
    [
      z.strictObject({ member: memberId.describe('mem_…') }),
      z.strictObject({
        address: line(1_000).describe('An email address, in any spelling, also a former one'),
      }),
      z.strictObject({
        number: line(100).describe('A phone number; without a country code, one of PHONE_REGION'),
      }),
      z.strictObject({ name: findText.describe('Words of the name, in any part of a word') }),
      z.strictObject({ suppressed: z.literal(true).describe('Whose email address gets nothing') }),
    ],
    'must be one of {"member":"mem_…"}, {"address":"…"}, {"number":"…"}, {"name":"…"} and {"suppressed":true}',
  )
  .describe('In the body, so that no address stands in a log')
export type MemberSearch = z.infer<typeof memberSearch>

/** A member in a list. */
export const foundMember = z.object({
  id: z.string().describe('mem_…'),
  name: z.string().nullable(),
  email: z.string(),
  formerEmail: z.string().nullable().describe('The address before, until the new one is verified'),
  verified: z.boolean().describe('Whether the address is proved'),
  phone: z.object({ number: z.string(), verified: z.boolean() }).nullable(),
  plans: z.array(planConnectionSchema.pick({ planId: true, type: true, status: true, active: true })),
  createdAt: z.iso.datetime(),
  lastLogin: z.iso.datetime().nullable(),
})
export type FoundMember = z.infer<typeof foundMember>

const suppression = z.object({
  to: z.enum(['email', 'phone']),
  kind: z.enum(['bounce', 'complaint']),
  reason: z.string().describe("The mail server's words, or Twilio's"),
  since: z.iso.datetime(),
})

/** A member with plans, what they get, and why they get nothing. */
export const deskMember = foundMember.omit({ plans: true }).extend({
  plans: z.array(planConnectionSchema),
  methods: z.array(deliveryMethod).describe('What the member chose'),
  pdfFormat,
  pausedUntil: z.iso.date().nullable().describe('The first day on which deliveries are sent again'),
  obstacle: deliveryObstacle.nullable().describe('Why nothing is sent by the chosen methods; null if it is'),
  suppressions: z.array(suppression).describe('The addresses to which nothing is sent'),
  comments: z.object({ count: z.int(), hidden: z.int(), allHidden: z.boolean() }),
  deliveries: pageOf(foundDelivery).describe(
    'The newest. POST /desk/v1/deliveries/search returns those after `next`',
  ),
})
export type DeskMember = z.infer<typeof deskMember>

/** Most members of a search that are counted. */
export const countedMembers = 1_000

const memberCounts = z.object({
  found: z.int().describe(`The members of the search, of which at most ${countedMembers} are counted`),
  isExact: z.boolean().describe('Whether they are no more than that'),
  members: z.int().describe('All members'),
})
export type MemberCounts = z.infer<typeof memberCounts>

const params = z.object({ id: memberId })
const shared = { tag: 'Desk: members', scope: 'publish' } as const

export const searchMembers = deskEndpoint(routes.findMembers, {
  ...shared,
  summary: 'Finds members by id, address, number or name',
  description: 'Each search is in the audit log, without the words that were searched.',
  query: listQuery.extend({ after: memberId.optional() }),
  body: memberSearch,
  reply: pageOf(foundMember).extend({
    counts: memberCounts.nullable().describe('Null after the first page'),
  }),
})

export const getDeskMember = deskEndpoint(routes.getDeskMember, {
  ...shared,
  summary: 'Returns a member with plans, deliveries and suppression',
  description: 'Each look is in the audit log.',
  params,
  reply: dataOf(deskMember),
})

export const liftSuppression = deskEndpoint(routes.liftSuppression, {
  ...shared,
  summary: "Sends to a member's email address again",
  description:
    'One that is not suppressed stays as it is. A phone number is lifted by its owner: with START, or by verifying it again.',
  params,
  reply: dataOf(deskMember),
})
