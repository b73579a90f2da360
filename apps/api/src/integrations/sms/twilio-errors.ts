import type { SmsResult } from './sms-sender.ts'

const responseCharacters = 200

/** Codes about the account or the sender, which say nothing about the recipient. */
const senderCodes = new Set([21212, 21603, 21606, 21607, 21659, 21660, 21701, 21702, 21703, 21704, 21705])

/** The sender's queue at Twilio is full. */
const queueFull = 21611

/** Errors of a connection on which no request was sent. */
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_CONN',
  'UND_ERR_PRX_TLS',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** A proxy's refusal has only the code of an aborted request. */
const refusedByProxy = /^Proxy response \(\d+\)/

/** Returns the outcome of a text from an error of the SDK. */
export function resultOf(error: unknown): Exclude<SmsResult, { outcome: 'accepted' }> {
  const { status, code, message } = factsOf(error)
  const response = withoutNumbers(message)
  if (status === 0) {
    const isUnsent = connectionCodes.has(code) || refusedByProxy.test(message)
    const outcome = isUnsent ? 'unavailable' : 'unknown'
    return { outcome, code, response: outcome === 'unknown' ? 'no reply after the text' : response }
  }
  // A server that fails may have accepted the text before.
  if (status >= 500) return { outcome: 'unknown', code, response }
  if (status === 429 || Number(code) === queueFull) return { outcome: 'temporary', code, response }
  // A redirect comes from a wrong address or a proxy, and no text went through it.
  const isAboutSender = status < 400 || [401, 403, 404].includes(status) || senderCodes.has(Number(code))
  return { outcome: isAboutSender ? 'unavailable' : 'permanent', code, response }
}

/** Returns the HTTP status (0 without a response), Twilio's or the system's code, and the text. */
function factsOf(error: unknown): { status: number; code: string; message: string } {
  if (!(error instanceof Error)) return { status: 0, code: 'ERROR', message: String(error) }
  const status = 'status' in error && typeof error.status === 'number' ? error.status : 0
  const code = 'code' in error && error.code ? String(error.code) : String(status || 'ERROR')
  return { status, code, message: error.message }
}

/** Twilio quotes numbers, which must not outlive a member in reasons and logs. */
function withoutNumbers(text: string): string {
  return text
    .replaceAll(/\+?\d[\d\s().-]{5,}/g, '… ')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, responseCharacters)
}
