import { plainText } from './plain-text.ts'

const written = ['title', 'memo_content', 'content', 'source', 'media_title', 'media_alt', 'media_text']

/** Returns the unsaved words of texts as a plain text: each text's fields, in the order of its readers. */
export function wordsToCopy(texts: readonly unknown[]): string {
  return texts
    .map((words) => {
      const fields = new Map<string, unknown>(Object.entries(fieldsOf(words)))
      const parts = written.map((name) => fields.get(name)).filter((value) => typeof value === 'string')
      return parts
        .map(plainText)
        .filter((part) => part !== '')
        .join('\n\n')
    })
    .filter((text) => text !== '')
    .join('\n\n\n')
}

function fieldsOf(words: unknown): object {
  if (typeof words !== 'object' || words === null || !('fields' in words)) return {}
  const { fields } = words
  return typeof fields === 'object' && fields !== null ? fields : {}
}
