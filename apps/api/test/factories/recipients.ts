import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import { sha256 } from '#platform/ids.ts'
import type { TestApp } from '../test-app.ts'
import { holdPlan, testPlans } from './plans.ts'

type Recipient = {
  customFields?: Record<string, unknown>
  verified?: boolean
  /** A plan that is held as if it was paid; null for none. */
  planId?: string | null
  pdfFormat?: PdfFormat
  /** The domain of the address. */
  domain?: string
}

let made = 0

/** Stores a member who receives memos by email, unless the options say otherwise. Returns the address and id. */
export async function createRecipient(
  site: TestApp,
  {
    customFields = { getmemomethodbyemail: true },
    verified = true,
    planId = testPlans.monthly,
    pdfFormat = 'phone',
    domain = 'example.com',
  }: Recipient = {},
): Promise<{ email: string; memberId: string }> {
  made += 1
  const { context } = site
  const email = `recipient-${made}@${domain}`
  const now = context.clock.now()
  const { id: memberId } = await context.database.db.member.create({
    data: {
      id: context.ids.public('mem'),
      appId: context.config.site.appId,
      email,
      verified,
      customFields: { name: `Recipient ${made}`, ...customFields },
      pdfFormat,
      termsAcceptedAt: now,
      createdAt: now,
    },
  })
  if (planId !== null) await holdPlan(site, memberId, planId)
  return { email, memberId }
}

type TextRecipient = {
  timeZone?: string | null
  number?: string
  methods?: Record<string, unknown>
  pdfFormat?: PdfFormat
}

/**
 * Stores a member with a verified number who receives memos by text, unless the options say otherwise. Returns the
 * address, the id and the number.
 */
export async function createSmsRecipient(
  site: TestApp,
  {
    timeZone = null,
    number,
    methods = { getmemomethodbysms: true },
    pdfFormat = 'phone',
  }: TextRecipient = {},
): Promise<{ email: string; memberId: string; number: string }> {
  const text = number ?? `+1202555${String(1_000 + made).slice(-4)}`
  const recipient = await createRecipient(site, { customFields: { ...methods, phone: text }, pdfFormat })
  await verifyNumber(site, recipient.memberId, { number: text, timeZone })
  return { ...recipient, number: text }
}

/** Stores a number as if the member had verified it by a texted code. */
export async function verifyNumber(
  { context }: Pick<TestApp, 'context'>,
  memberId: string,
  { number, timeZone = null }: { number: string; timeZone?: string | null },
): Promise<void> {
  const now = context.clock.now()
  await context.database.db.memberPhone.create({
    data: {
      memberId,
      text: number,
      number,
      codeExpiresAt: now,
      verifiedAt: now,
      timeZone,
      consentAt: now,
      consentOrigin: 'http://localhost:3000',
      consentText: 'Texts, please.',
    },
  })
}

/** Stores a browser that is notified of new editions, at an address of its own unless one is given. */
export async function addPushDevice(
  { context }: Pick<TestApp, 'context'>,
  memberId: string,
  subscription = {
    endpoint: `https://push.example.com/${memberId}`,
    keys: { p256dh: 'key', auth: 'secret' },
  },
): Promise<void> {
  const { endpoint, keys } = subscription
  const createdAt = context.clock.now()
  const device = { memberId, name: 'Chrome on Android', endpoint, ...keys, createdAt }
  await context.database.db.pushDevice.create({ data: { ...device, endpointHash: sha256(endpoint) } })
}
