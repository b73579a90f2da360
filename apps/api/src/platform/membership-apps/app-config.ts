import { z } from 'zod'
import { isAmount } from '../money.ts'
import { isWebOrigin } from '../network/web-origin.ts'

const origin = z.string().refine(isWebOrigin, 'must be an origin such as https://www.example.com')
const id = (prefix: string) =>
  z
    .string()
    .max(100)
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z-]+$`), `must be ${prefix}_ and letters, digits or hyphens`)
const text = z.string().max(500)
const address = z.string().max(2_000)
const permission = z.string().regex(/^[\w:.-]{1,100}$/, 'must be letters, digits, . : _ or -')

const customField = z.strictObject({
  key: z.string().regex(/^[A-Za-z][\w-]{0,63}$/, 'must begin with a letter'),
  label: text,
  /** Hidden in the widget; not secret. */
  hidden: z.boolean().default(false),
  /** A boolean accepts true, false, "true" and "false". */
  type: z.enum(['text', 'boolean']).default('text'),
  /** PUBLIC fields are shown beside the member's comments; PRIVATE ones to the member only. */
  visibility: z.enum(['PRIVATE', 'PUBLIC']).default('PRIVATE'),
})

const price = z.strictObject({
  id: id('prc'),
  name: text.nullable().default(null),
  /** In major units: 9.99. */
  amount: z.number().positive().max(1_000_000).multipleOf(0.01),
  currency: z.string().regex(/^[a-z]{3}$/, 'must be three small letters, such as usd'),
  type: z.enum(['SUBSCRIPTION', 'ONETIME']).default('SUBSCRIPTION'),
  interval: z.enum(['MONTHLY', 'YEARLY']).nullable().default(null),
  active: z.boolean().default(true),
})

const plan = z.strictObject({
  id: id('pln'),
  name: z.string().min(1).max(200),
  description: z.string().max(2_000).nullable().default(null),
  status: z.enum(['ACTIVE', 'INACTIVE']).default('ACTIVE'),
  priority: z.int().nullable().default(null),
  permissions: z.array(permission).max(100).default([]),
  /** How many members may hold it; null for any number. */
  memberLimit: z.int().positive().nullable().default(null),
  /** Only the site's staff can add it to a member. */
  restrictToAdmin: z.boolean().default(false),
  /** Whether a free plan includes deliveries. Paid plans always do. */
  delivers: z.boolean().default(false),
  /** A plan without prices is free. */
  prices: z.array(price).max(20).default([]),
})

/** The configuration of one app, as in the file for `tidings app-config apply`. Unknown keys are errors. */
export const appConfigSchema = z
  .strictObject({
    name: z.string().min(1).max(100),
    /** Removes the provider's name from the widget's footer. */
    isPaid: z.boolean().default(false),
    /** Origins besides those of the settings. */
    allowedOrigins: z.array(origin).max(100).default([]),
    branding: z
      .strictObject({
        logo: address.nullable().default(null),
        primaryButton: z.string().max(50).default('rgb(41, 98, 255)'),
      })
      .prefault({}),
    customFields: z.array(customField).max(100).default([]),
    /** Keys of the offered identity providers, in order; null for all. */
    authProviders: z.array(z.string().max(40)).nullable().default(null),
    passwordless: z
      .strictObject({ enabled: z.boolean().default(true), isDefault: z.boolean().default(false) })
      .prefault({}),
    /** Whether the sign-up uses the captcha of the setting CAPTCHA; null: if there is one. */
    captcha: z.boolean().nullable().default(null),
    ssoSignupButtonURL: address.nullable().default(null),
    ssoText: z.record(z.string(), z.unknown()).nullable().default(null),
    allowMemberSelfDelete: z.boolean().default(true),
    /** Where clients redirect after login and logout; null for nowhere. */
    loginRedirect: address.nullable().default(null),
    logoutRedirect: address.nullable().default(null),
    plans: z.array(plan).max(100).default([]),
    /** Replaced texts of the widget, by key. */
    translations: z.record(z.string().max(100), z.string().max(2_000)).default({}),
  })
  .check((context) => {
    const { customFields, plans } = context.value
    const lists = {
      customFields: customFields.map(({ key }) => key),
      plans: plans.map((one) => one.id),
      prices: plans.flatMap((one) => one.prices.map((each) => each.id)),
    }
    for (const [list, keys] of Object.entries(lists)) {
      const duplicate = keys.find((key, index) => keys.indexOf(key) !== index)
      if (duplicate === undefined) continue
      context.issues.push({
        code: 'custom',
        input: duplicate,
        path: [list],
        message: `'${duplicate}' is used twice`,
      })
    }
    for (const each of plans.flatMap((one) => one.prices)) {
      if (!isAmount(each.amount, each.currency)) {
        const message = `${each.id}: ${each.amount} is not an amount in ${each.currency}`
        context.issues.push({ code: 'custom', input: each.amount, path: ['plans'], message })
      }
      if ((each.type === 'SUBSCRIPTION') === (each.interval !== null)) continue
      const message = `${each.id}: a SUBSCRIPTION has an interval, a ONETIME price has none`
      context.issues.push({ code: 'custom', input: each.id, path: ['plans'], message })
    }
  })

export type AppConfig = z.infer<typeof appConfigSchema>
export type CustomFieldDefinition = AppConfig['customFields'][number]
export type PlanDefinition = AppConfig['plans'][number]

/** Returns the first configuration of a site's app: the fields of its screens, one free and two paid plans. */
export function firstAppConfig(siteName: string): AppConfig {
  return appConfigSchema.parse({
    name: siteName,
    customFields: [
      { key: 'name', label: 'Name', visibility: 'PUBLIC' },
      { key: 'phone', label: 'Phone number' },
      { key: 'getmemomethodbyemail', label: 'Memos by e-mail', hidden: true, type: 'boolean' },
      { key: 'getmemomethodbysms', label: 'Memos by SMS', hidden: true, type: 'boolean' },
      { key: 'getPDFMethodBySMS', label: 'PDF by SMS', hidden: true, type: 'boolean' },
      { key: 'getPDFMethodByEmail', label: 'PDF by e-mail', hidden: true, type: 'boolean' },
      { key: 'combinestatus', label: 'Evening digest', hidden: true, type: 'boolean' },
    ],
    plans: [
      {
        id: 'pln_free-7q2m9x4kd1',
        name: 'Free',
        description: 'Every edition on the site.',
        priority: 1,
      },
      {
        id: 'pln_monthly-4f8t2c6hz9',
        name: 'Monthly',
        description: 'Everything, paid by the month.',
        priority: 2,
        permissions: ['paid'],
        prices: [{ id: 'prc_monthly-plan-8k3v5n1wqe', amount: 4.99, currency: 'usd', interval: 'MONTHLY' }],
      },
      {
        id: 'pln_yearly-9b5s7j3dy6',
        name: 'Yearly',
        description: 'Everything, paid by the year.',
        priority: 3,
        permissions: ['paid'],
        prices: [{ id: 'prc_yearly-plan-2r6x9m4tgc', amount: 49.99, currency: 'usd', interval: 'YEARLY' }],
      },
    ],
  })
}
