import { limits } from '@tidings/contracts/limits'
import type { SecureContentType } from '@tidings/contracts/membership/secure-content'
import { cleanBody, invalidField, requireLength } from '#platform/fields.ts'
import { parseJson } from '#platform/parse-json.ts'

/** Cleans HTML and trims URLs of a draft. Throws `invalid-request` or `invalid-html`. */
export function parseContent(type: SecureContentType, content: string, language: string): string {
  // Postgres stores neither.
  if (/[\0\p{Cs}]/u.test(content)) {
    throw invalidField('content', 'must not contain NUL or unpaired surrogates')
  }
  const maxCharacters = limits.secureContentCharacters
  if (type !== 'HTML') requireLength('content', content, maxCharacters)
  switch (type) {
    case 'HTML':
      return cleanBody(content, { field: 'content', language, maxCharacters })
    case 'LINK':
    case 'IMAGE':
    case 'FILE':
      return parseUrl(type, content.trim())
    case 'JSON':
      if (parseJson(content) !== undefined) return content
      throw invalidField('content', 'must be JSON, because its type is JSON')
    case 'CSS':
    case 'JS':
    case 'TEXT':
      return content
  }
}

function parseUrl(type: SecureContentType, url: string): string {
  const isUrl = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url)
  if (isUrl && url.length <= limits.sourceCharacters) return url
  const expected = `an http or https URL of at most ${limits.sourceCharacters} characters`
  throw invalidField('content', `must be ${expected}, because its type is ${type}`)
}
