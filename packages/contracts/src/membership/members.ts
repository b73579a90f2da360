import { z } from 'zod'
import { pdfFormat } from '../delivery/deliveries.ts'
import { endpoint } from '../endpoint.ts'
import { dataOf, dataWithMessage } from '../envelope.ts'
import * as routes from './routes.ts'

/** The amounts of the next payments, as Stripe computes them. */
export const renewalSchema = z.object({
  interval: z.enum(['MONTHLY', 'YEARLY']).nullable(),
  taxBehavior: z
    .enum(['exclusive', 'inclusive'])
    .nullable()
    .describe('Whether tax is added to the price or included in it; null for no tax'),
  amounts: z
    .array(
      z.object({
        from: z.string().describe('ISO 8601, UTC: the day of the first payment that charges it'),
        amount: z.number().describe('In major units, after discounts and with tax'),
        tax: z.number().describe('How much of it is tax'),
      }),
    )
    .min(1)
    .describe('The next payment first, then one entry for each change, such as the end of a discount'),
})

/** A plan that a member has. `payment` is null for a free one. */
export const planConnectionSchema = z.object({
  id: z.string().describe('con_…'),
  planId: z.string().describe('pln_…'),
  planName: z.string(),
  active: z.boolean(),
  status: z.string(),
  type: z.enum(['FREE', 'SUBSCRIPTION', 'ONETIME']),
  payment: z
    .object({
      priceId: z.string(),
      amount: z.number().describe('The list price, in major units, without discounts'),
      currency: z.string(),
      interval: z.string().nullable(),
      status: z.string(),
      lastBillingDate: z.string().nullable(),
      nextBillingDate: z.string().nullable(),
      cancelAtDate: z.string().nullable(),
      nextPriceId: z.string().optional().describe('The price that a scheduled change leads to'),
      renewal: renewalSchema.optional().describe('What the next payments charge, while any is known'),
    })
    .nullable(),
})
export type PlanConnection = z.infer<typeof planConnectionSchema>

/** Any JSON object. */
const freeObject = z.record(z.string(), z.unknown())

/** The member's own view of the record. Dates are ISO 8601, UTC. */
export const memberSchema = z.object({
  id: z.string().describe('mem_…'),
  verified: z.boolean(),
  createdAt: z.string(),
  lastLogin: z.string().nullable(),
  auth: z.object({
    email: z.string(),
    hasPassword: z.boolean(),
    providers: z.array(z.object({ provider: z.string() })),
  }),
  customFields: freeObject,
  metaData: freeObject,
  json: z.unknown(),
  permissions: z.array(z.string()),
  planConnections: z.array(planConnectionSchema),
  profileImage: z.string().nullable(),
  stripeCustomerId: z.string().nullable(),
  loginRedirect: z.string().nullable(),
  teams: z.object({ joinedTeams: z.array(z.unknown()), ownedTeams: z.array(z.unknown()) }),
})
export type Member = z.infer<typeof memberSchema>

/** `GET /member`: null for a visitor or an ended session. */
export const currentMemberReply = dataOf(memberSchema.nullable())

/** Body of `POST /member`. Keys that the app does not define are ignored. */
export const updateMemberRequest = z.object({ customFields: freeObject.optional() })
/** Replies of `POST /member`, `/member-auth` and `/member/set-password`. */
export const memberWithMessageReply = dataWithMessage(memberSchema)

/** `GET` and `POST /member/json`. */
export const memberJsonRequest = z.object({ json: z.unknown() })
export const memberJsonReply = dataOf(z.unknown())

export const profileImageReply = dataWithMessage(
  z.object({ profileImage: z.string().nullable().describe('An absolute address; null once removed') }),
)

export const deletedMemberReply = dataOf(z.object({ id: z.string() }))

/** `GET /member/sessions`: the member's sessions, newest first. */
export const sessionsReply = dataOf(
  z.array(
    z.object({
      id: z.uuid(),
      createdAt: z.string(),
      lastUsedAt: z.string().describe('To the hour'),
      expiresAt: z.string(),
      userAgent: z.string(),
      current: z.boolean().describe('Whether it is the session that asks'),
    }),
  ),
)

/** `DELETE /member/sessions/{id}`. */
export const endedSessionReply = dataOf(z.object({ id: z.uuid() }))

/** `DELETE /member/sessions`: how many sessions have ended. */
export const endedSessionsReply = dataOf(z.object({ ended: z.int() }))

/** `GET /member/suppression`: why and since when no editions are sent to the address; null if they are. */
export const suppressionReply = dataOf(
  z.object({ kind: z.enum(['bounce', 'complaint']), since: z.string() }).nullable(),
)

/** `DELETE /member/suppression`. */
export const liftedSuppressionReply = dataOf(z.object({ success: z.literal(true) }))

const ownComment = z.object({
  id: z.string(),
  content: z.string(),
  createdAt: z.string(),
  editedAt: z.string().nullable(),
})
const ownVote = z.enum(['up', 'down'])

/** `GET /member/export`: all data stored about the member. */
export const memberExportReply = dataOf(
  z.object({
    exportedAt: z.string(),
    member: memberSchema,
    termsAcceptedAt: z.string(),
    termsOrigin: z.string().describe('The page on which the terms were accepted'),
    pausedUntil: z.iso.date().nullable().describe('The first day on which deliveries are sent again'),
    pdfFormat: pdfFormat.describe('The pages of the PDFs that are delivered'),
    identities: z.array(z.object({ provider: z.string(), subject: z.string(), createdAt: z.string() })),
    sessions: z.array(
      z.object({
        id: z.uuid(),
        createdAt: z.string(),
        lastUsedAt: z.string(),
        expiresAt: z.string(),
        userAgent: z.string(),
      }),
    ),
    phones: z
      .array(
        z.object({
          number: z.string(),
          verifiedAt: z.string().nullable(),
          timeZone: z.string().nullable(),
          consentAt: z.string(),
          consentOrigin: z.string(),
          consentText: z.string(),
          stoppedMethods: z.array(z.string()).describe('What STOP turned off'),
        }),
      )
      .describe('The number that receives texts, and the consent to them'),
    feeds: z.array(z.object({ createdAt: z.string() })).describe('The private feed, without its address'),
    pushDevices: z
      .array(z.object({ name: z.string(), createdAt: z.string(), lastNotifiedAt: z.string().nullable() }))
      .describe('The browsers that are notified of new editions, without their addresses and keys'),
    deliveries: z
      .array(
        z.object({
          method: z.string(),
          state: z.string(),
          recipient: z.string(),
          sentAt: z.string().nullable(),
        }),
      )
      .describe('The editions sent to the member in the last months'),
    suppressions: z
      .array(
        z.object({
          kind: z.enum(['bounce', 'complaint']),
          reason: z.string(),
          bounces: z.int(),
          since: z.string().nullable().describe('Null while editions are sent to the address'),
        }),
      )
      .describe('What mail servers said about the address, and Twilio about the verified number'),
    comments: z.object({
      posts: z.array(ownComment.extend({ channelKey: z.string() })),
      threads: z.array(ownComment.extend({ postId: z.string() })),
      postVotes: z.array(z.object({ postId: z.string(), vote: ownVote })),
      threadVotes: z.array(z.object({ threadId: z.string(), vote: ownVote })),
      reports: z.array(z.object({ commentId: z.string(), reason: z.string(), createdAt: z.string() })),
      subscriptions: z.array(z.string()).describe('Channels whose threads the member wants to hear of'),
    }),
  }),
)
export type MemberExport = z.infer<typeof memberExportReply>['data']

export const listSessions = endpoint(routes.listSessions, {
  access: 'member',
  tag: 'Membership: members',
  summary: 'Lists where the member is logged in, newest first',
  reply: sessionsReply,
})

export const endSession = endpoint(routes.endSession, {
  access: 'member',
  tag: 'Membership: members',
  summary: 'Ends one of the member’s own sessions',
  reply: endedSessionReply,
})

export const endOtherSessions = endpoint(routes.endOtherSessions, {
  access: 'member',
  tag: 'Membership: members',
  summary: 'Ends all of the member’s sessions but the one that asks',
  reply: endedSessionsReply,
})

export const getSuppression = endpoint(routes.getSuppression, {
  access: 'member',
  tag: 'Membership: members',
  summary: 'Says why no editions are sent to the address; null if they are',
  reply: suppressionReply,
})

export const endSuppression = endpoint(routes.endSuppression, {
  access: 'member',
  tag: 'Membership: members',
  summary: 'Sends editions to the address again; succeeds if they are sent',
  reply: liftedSuppressionReply,
})

export const getMember = endpoint(routes.getMember, {
  access: 'public',
  tag: 'Membership: members',
  summary: 'Returns the logged-in member; null for visitors and expired sessions',
  reply: currentMemberReply,
})

export const updateMember = endpoint(routes.updateMember, {
  access: 'member',
  tag: 'Membership: members',
  summary: 'Updates custom fields; ignores keys that the app does not define',
  body: updateMemberRequest.nullish(),
  reply: memberWithMessageReply,
})

export const deleteMember = endpoint(routes.deleteMember, {
  access: 'member',
  tag: 'Membership: members',
  summary: 'Deletes the account and everything that belongs to it',
  reply: deletedMemberReply,
})

export const getMemberJson = endpoint(routes.getMemberJson, {
  access: 'member',
  tag: 'Membership: members',
  summary: "Returns the member's own JSON",
  reply: memberJsonReply,
})

export const updateMemberJson = endpoint(routes.updateMemberJson, {
  access: 'member',
  tag: 'Membership: members',
  summary: "Replaces the member's own JSON",
  body: memberJsonRequest,
  reply: memberJsonReply,
})

export const exportMember = endpoint(routes.exportMember, {
  access: 'member',
  tag: 'Membership: members',
  summary: 'Returns everything stored about the member, as JSON',
  reply: memberExportReply,
})

export const setProfileImage = endpoint(routes.setProfileImage, {
  access: 'member',
  tag: 'Membership: members',
  summary: 'Sets the profile image: multipart, field `profileImage`, at most 4,000,000 bytes',
  consumes: ['multipart/form-data'],
  reply: profileImageReply,
})

export const removeProfileImage = endpoint(routes.removeProfileImage, {
  access: 'member',
  tag: 'Membership: members',
  summary: 'Removes the profile image',
  reply: profileImageReply,
})
