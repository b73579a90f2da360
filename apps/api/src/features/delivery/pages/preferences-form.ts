import { pdfFormat } from '@tidings/contracts/delivery/deliveries'
import { type DeliveryMethod, deliveryMethods } from '@tidings/contracts/delivery/methods'
import { z } from 'zod'
import { fromWireMethod } from '../methods.ts'

const urlencoded = 'application/x-www-form-urlencoded'
/** The types of a one-click post (RFC 8058). */
const oneClickTypes = [urlencoded, 'multipart/form-data']

const box = z.enum(deliveryMethods.map(fromWireMethod))
const boxes = z.array(box).refine((names) => new Set(names).size === names.length)
/** A field that a form has once. */
const once = <Value extends z.ZodType>(value: Value) => z.tuple([value])

// Every field of a form by its name. Pages from before this version had no action beside their boxes.
const form = z.union([
  z.strictObject({ action: once(z.literal('save')), method: boxes.default([]) }),
  z.strictObject({ method: boxes.min(1) }),
  z.strictObject({ action: once(z.literal('pause')), day: once(z.string()) }),
  z.strictObject({ action: once(z.literal('continue')) }),
  z.strictObject({ action: once(z.literal('pages')), pdfFormat: once(pdfFormat) }),
])

/** The request of a form of the preferences page. */
export type PreferencesForm =
  | { action: 'save'; checked: ReadonlySet<DeliveryMethod> }
  | { action: 'pause'; day: string }
  | { action: 'continue' }
  | { action: 'pages'; pdfFormat: z.infer<typeof pdfFormat> }

type Posted = { headers: { 'content-type'?: string | undefined }; body: unknown }

/** Returns the form that was posted to the preferences page, or the status of the error. */
export function readPreferencesForm({ headers, body }: Posted): PreferencesForm | 400 | 415 {
  if (mediaTypeOf(headers) !== urlencoded || typeof body !== 'string') return 415
  const fields = Map.groupBy(new URLSearchParams(body), ([name]) => name)
  const values = [...fields].map(([name, entries]) => [name, entries.map(([, value]) => value)] as const)
  const { data, success } = form.safeParse(Object.fromEntries(values))
  if (!success) return 400
  if ('day' in data) return { action: 'pause', day: data.day[0] }
  if ('pdfFormat' in data) return { action: 'pages', pdfFormat: data.pdfFormat[0] }
  if (!('method' in data)) return { action: 'continue' }
  const { method: names } = data
  return {
    action: 'save',
    checked: new Set(deliveryMethods.filter((method) => names.includes(fromWireMethod(method)))),
  }
}

/**
 * Returns whether a post to the unsubscribe link can be read: a form with any fields, or nothing at all. Some mail programs
 * post the words of RFC 8058 as plain text.
 */
export function isOneClick({ headers, body }: Posted): boolean {
  const type = mediaTypeOf(headers)
  if (type === 'text/plain') return String(body).trim() === 'List-Unsubscribe=One-Click'
  return type === '' ? body === undefined || body === null : oneClickTypes.includes(type)
}

function mediaTypeOf({ 'content-type': type = '' }: Posted['headers']): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase()
}
