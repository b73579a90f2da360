import { isIP } from 'node:net'
import type { Slot } from '@tidings/contracts/edition-key'
import { IANAZone } from 'luxon'
import { z } from 'zod'
import { type AlertKind, alertKinds } from '../platform/alert-kinds.ts'
import { isWebOrigin } from '../platform/network/web-origin.ts'
import { isPhoneCountry } from '../platform/phone/sms-number.ts'
import { parseSubjectFormat, type SubjectFormat } from './subject-format.ts'

export const timeZone = z.string().refine((zone) => IANAZone.isValidZone(zone), 'must be an IANA time zone')

/** `10AM=10:00,3PM=15:00`: labels with their local times, sorted by time. */
export const clockTimeSlots = z.string().transform((text, context): Slot[] => {
  const slots = text.split(',').map((part) => {
    const match = /^\s*([0-9A-Za-z]{1,12})\s*=\s*([01]?\d|2[0-3]):([0-5]\d)\s*$/.exec(part)
    if (match?.[1] === undefined) context.addIssue(`'${part.trim()}' is not of the form 10AM=10:00`)
    return { label: match?.[1] ?? '', minutes: Number(match?.[2]) * 60 + Number(match?.[3]) }
  })
  if (new Set(slots.map((slot) => slot.label)).size !== slots.length) context.addIssue('names a slot twice')
  return slots.sort((a, b) => a.minutes - b.minutes)
})

/** `21:00`: a local time, in minutes after midnight. */
export const clockTime = z
  .string()
  .regex(/^([01]?\d|2[0-3]):[0-5]\d$/, 'must be a time such as 21:00')
  .transform((text) => {
    const [hours = 0, minutes = 0] = text.split(':').map(Number)
    return hours * 60 + minutes
  })

/** `21:00-08:00`: two local times, in minutes after midnight; null for `off`. */
export const clockTimeRange = z.string().transform((text, context) => {
  if (text === 'off') return null
  const [from, until, ...rest] = text.split('-').map((part) => clockTime.safeParse(part.trim()).data)
  if (from !== undefined && until !== undefined && from !== until && rest.length === 0) return { from, until }
  context.addIssue('must be off, or two different times such as 21:00-08:00')
  return z.NEVER
})

/** `9464`: a port; null for `off`. */
export const workerMetricsPort = z.string().transform((text, context) => {
  if (text === 'off') return null
  const port = z.coerce.number().int().min(0).max(65_535).safeParse(text).data
  if (port !== undefined && /^\d+$/.test(text)) return port
  context.addIssue('must be off, or a port from 0 (any free one) to 65535')
  return z.NEVER
})

/** `0.0083 USD`: an amount in major units, and a currency. */
export const price = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})? [A-Z]{3}$/, 'must be an amount and a currency, such as 0.0083 USD')
  .transform((text) => {
    const [amount = '', currency = ''] = text.split(' ')
    return { amount: Number(amount), currency }
  })

/** `{slot}: {title}[, and {more} more]`: how the subject of an edition's email is written. */
export const subjectFormat = z.string().transform((text, context): SubjectFormat => {
  try {
    return parseSubjectFormat(text)
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : '')
    return z.NEVER
  }
})

/** The two-letter code (ISO 3166-1) of a country with phone numbers. */
export const phoneCountry = z
  .string()
  .refine(isPhoneCountry, 'must be the code of a country, in two capital letters, such as US or GB')

/** Countries with phone numbers, separated by commas. */
export const phoneCountries = z.string().transform((text, context): string[] => {
  const countries = text.split(',').flatMap((part) => part.trim().toUpperCase() || [])
  for (const country of countries) {
    if (!isPhoneCountry(country))
      context.addIssue(`'${country}' is not the code of a country, such as US or GB`)
  }
  return [...new Set(countries)]
})

/** Email addresses separated by commas. */
export const addressList = z.string().transform((text, context): string[] => {
  const addresses = text.split(',').flatMap((part) => part.trim() || [])
  for (const address of addresses) {
    if (!z.email().safeParse(address).success)
      context.addIssue('must be email addresses, separated by commas')
  }
  return [...new Set(addresses)]
})

/** Kinds of alerts separated by commas. */
export const alertKindList = z.string().transform((text, context): AlertKind[] =>
  text
    .split(',')
    .flatMap((part) => part.trim() || [])
    .flatMap((name) => {
      const kind = alertKinds.find((known) => known === name)
      if (kind === undefined) context.addIssue(`'${name}' is none of ${alertKinds.join(', ')}`)
      return kind ?? []
    }),
)

/** Origins separated by commas. */
export const originList = z.string().transform((text, context): string[] => {
  const origins = text.split(',').flatMap((part) => part.trim() || [])
  for (const origin of origins) {
    if (isWebOrigin(origin)) continue
    context.addIssue(
      `'${origin}' is not an origin such as https://www.example.com (no path, no slash at the end)`,
    )
  }
  return origins
})

/** `off`, `on` (trust every hop), a number of hops, or addresses and networks separated by commas. */
export const trustedProxies = z.string().transform((text, context): boolean | number | string[] => {
  if (text === 'off' || text === 'on') return text === 'on'
  if (/^\d+$/.test(text)) return Number(text)
  const networks = text.split(',').map((part) => part.trim())
  const unknown = networks.find((network) => !isNetwork(network))
  if (unknown !== undefined) {
    context.addIssue(`'${unknown}' is neither on, off, a number of proxies nor an address such as 10.0.0.0/8`)
  }
  return networks
})

/** Addresses and networks separated by commas. */
export const networkList = z.string().transform((text, context): string[] => {
  const networks = text.split(',').flatMap((part) => part.trim() || [])
  const unknown = networks.find((network) => !isNetwork(network) || isIP(network.split('/')[0] ?? '') === 0)
  if (unknown !== undefined) context.addIssue(`'${unknown}' is not an address such as 10.0.0.0/8`)
  return networks
})

/** Returns whether Fastify accepts it: an address, a network in CIDR form, or a named range. */
function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}
