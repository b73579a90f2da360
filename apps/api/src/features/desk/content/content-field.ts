import { limits } from '@tidings/contracts/limits'
import type { SecureContentType } from '@tidings/contracts/secure-content'
import { AppError } from '#platform/errors.ts'
import { cleanBody } from '../html-field.ts'

/**
 * What an editor wrote, fit to be handed over as its type: HTML cleaned, an address trimmed, the rest as it is, JS and
 * CSS too, since they are an editor's own code for the page that asks. Throws `invalid-request`, or `invalid-html` when
 * nothing readable is left.
 */
export function fitContent(type: SecureContentType, content: string): string {
  // The database stores neither.
  if (/[\0\p{Cs}]/u.test(content)) throw refusal('must not hold NUL or halves of characters')
  switch (type) {
    case 'HTML':
      return cleanBody('content', content)
    case 'LINK':
    case 'IMAGE':
    case 'FILE':
      return fitAddress(type, content.trim())
    case 'JSON':
      if (!isJson(content)) throw refusal('must be JSON, since its type is JSON')
      return content
    case 'CSS':
    case 'JS':
    case 'TEXT':
      return content
  }
}

function fitAddress(type: SecureContentType, address: string): string {
  const isAddress = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(address) && URL.canParse(address)
  if (isAddress && address.length <= limits.sourceCharacters) return address
  throw refusal(
    `must be an http or https address of at most ${limits.sourceCharacters} characters, since its type is ${type}`,
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function refusal(reason: string): AppError {
  return new AppError('invalid-request', 400, `content: ${reason}`)
}
