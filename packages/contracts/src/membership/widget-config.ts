import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { dataOf } from '../envelope.ts'
import { memberSchema } from './members.ts'
import { planSchema } from './plans.ts'
import * as routes from './routes.ts'

const contentGroupSchema = z.object({
  id: z.string().describe('grp_…'),
  key: z.string(),
  name: z.string(),
  allowAllMembers: z.boolean(),
  redirect: z.string(),
  urls: z.array(z.object({ url: z.string(), filter: z.string() })),
  plans: z.array(z.object({ id: z.string() })),
  permissions: z.array(z.string()),
})

/** The app's configuration as the membership widget reads it. */
export const appSchema = z.object({
  id: z.string().describe('app_…'),
  name: z.string(),
  mode: z.enum(['live', 'sandbox']),
  isPaid: z.boolean(),
  branding: z.object({
    logo: z.string().nullable(),
    colors: z.object({ lightMode: z.looseObject({ primaryButton: z.string() }) }),
  }),
  customFields: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      hidden: z.boolean(),
      order: z.int(),
      visibility: z.enum(['PRIVATE', 'PUBLIC', 'MEMBERS']),
      restrictToAdmin: z.boolean(),
    }),
  ),
  authProviders: z.array(
    z.object({
      provider: z.string(),
      name: z.string(),
      icon: z.url().describe('A picture for its button, for pages of any origin'),
      order: z.int(),
    }),
  ),
  additionalAuthMethods: z.object({
    passwordless: z.object({ enabled: z.boolean(), isDefault: z.boolean() }),
  }),
  allowMemberSelfDelete: z.boolean(),
  captchaRequired: z.boolean(),
  captcha: z
    .object({ kind: z.string(), siteKey: z.string().nullable() })
    .nullable()
    .describe('Which captcha sign-up asks for; null for none'),
  ssoSignupButtonURL: z.string().nullable(),
  ssoText: z.unknown().optional(),
  plans: z.array(planSchema),
  contentGroups: z.array(contentGroupSchema),
  translations: z.record(z.string(), z.string()),
})
export type MembershipAppReply = z.infer<typeof appSchema>

export const appReply = dataOf(appSchema)

/** `includeSSOText` with any text includes the texts of single sign-on. */
export const appQuery = z.object({ includeSSOText: z.string().optional() })

/** The client's id of the visit; at most 26 characters. */
const sessionData = z.object({ sessionId: z.string().max(26) })

export const appMemberRequest = z.object({
  data: z
    .looseObject({ includeSSOText: z.unknown().optional(), sessionData: z.unknown().optional() })
    .nullish(),
})
export const appMemberReply = dataOf(
  z.object({ app: appSchema, member: memberSchema.nullable(), sessionData }),
)

/** `POST /page-view` and `POST /event`: accepted but not stored. */
export const pageViewReply = dataOf(z.object({ success: z.literal(true), sessionData }))

export const getApp = endpoint(routes.getApp, {
  access: 'public',
  tag: 'Membership: app',
  summary: "Returns the app's configuration",
  query: appQuery,
  reply: appReply,
})

export const getAppMember = endpoint(routes.getAppMember, {
  access: 'public',
  tag: 'Membership: app',
  summary: "Returns the app's configuration and the logged-in member",
  query: appQuery,
  reply: appMemberReply,
})

export const openApp = endpoint(routes.openApp, {
  access: 'public',
  tag: 'Membership: app',
  summary: 'As `GET /app-member`, for current clients',
  body: appMemberRequest.nullish(),
  reply: appMemberReply,
})

const ignored = {
  access: 'public',
  tag: 'Membership: app',
  summary: 'Accepted, but not stored',
  reply: pageViewReply,
} as const

export const trackPageView = endpoint(routes.trackPageView, ignored)

export const trackEvent = endpoint(routes.trackEvent, ignored)
