/** The fields that a subject format may have. */
export const subjectFields = ['slot', 'title', 'more', 'day', 'site'] as const
export type SubjectField = (typeof subjectFields)[number]

/** A part of a subject: words, or a field. `ifMore` parts are left out when the title is the only one. */
export type SubjectPart = { ifMore: boolean } & ({ words: string } | { field: SubjectField })
export type SubjectFormat = readonly SubjectPart[]

/** How subjects are written unless a setting says otherwise. */
export const defaultSubjectFormat = '{slot}: {title}[, and {more} more]'

// The rest of a subject is for the title.
const maxWordCharacters = 30
const namedFields = subjectFields.map((name) => `{${name}}`).join(', ')
const unclosed = 'must close each [ with a ] before the next one'

/**
 * Reads a format such as `{slot}: {title}[, and {more} more]`, in which `[…]` is left out when there is no more. Throws an
 * error that says what the format must be.
 */
export function parseSubjectFormat(text: string): SubjectFormat {
  const parts = partsOf(text)
  const problem = problemOf(parts)
  if (problem !== null) throw new TypeError(problem)
  return parts
}

function partsOf(text: string): SubjectPart[] {
  if (/\p{Cc}/u.test(text)) throw new TypeError('must be one line')
  const parts: SubjectPart[] = []
  let ifMore = false
  for (const [token] of text.matchAll(/\{[^{}]*\}|[[\]{}]|[^[\]{}]+/g)) {
    const field = subjectFields.find((name) => token === `{${name}}`)
    if (field !== undefined) parts.push({ ifMore, field })
    else if (/[{}]/.test(token)) throw new TypeError(`has ${token}; only ${namedFields} stand for something`)
    else if (token === '[' || token === ']') {
      if (ifMore !== (token === ']')) throw new TypeError(unclosed)
      ifMore = token === '['
    } else parts.push({ ifMore, words: token })
  }
  if (ifMore) throw new TypeError(unclosed)
  return parts
}

function problemOf(parts: SubjectFormat): string | null {
  const fields = parts.flatMap((part) => ('field' in part ? [part] : []))
  const words = parts.map((part) => ('words' in part ? part.words : '')).join('')
  if (fields.some(({ field, ifMore }) => field === 'more' && !ifMore))
    return 'must have {more} within [ and ]'
  if (fields.some(({ field, ifMore }) => field === 'title' && ifMore))
    return 'must not have {title} within [ and ]'
  if (fields.length === 0) return 'must have {title} or another field'
  if (subjectFields.some((name) => fields.filter(({ field }) => field === name).length > 1)) {
    return 'must have each field once at most'
  }
  if (words.length > maxWordCharacters) {
    return `must have at most ${maxWordCharacters} characters besides its fields, so that the title has room`
  }
  return null
}
