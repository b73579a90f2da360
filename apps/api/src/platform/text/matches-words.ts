import { Prisma } from '#generated/prisma/client.ts'

// More words make no search narrower, but each takes time.
const mostWords = 8

const threeLetters = /[\p{L}\p{M}\p{N}]{3}/u
const startsWithLetter = /^[\p{L}\p{N}]/u

/** An expression of what stands before a word. Trigrams are found for listed characters only, not for a class of them. */
const beforeWord = '(^|[\\u0001-/:-@\\[-`{-©«-´¶-¹»-¿])'

/** The scripts of which `desk_folded` makes words of two characters. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Mymr}\p{sc=Khmr}]/u

/** Returns whether a word has one or two letters, which are looked for at the beginning of a word. */
export function isShortWord(word: string): boolean {
  return !threeLetters.test(word) && !unspaced.test(word)
}

/**
 * Returns the condition that a text, folded by `desk_folded`, has each of the typed words, also inside of others. One or two
 * letters are looked for at the beginning of a word, where an index of trigrams has them.
 */
export function matchesWords(text: Prisma.Sql, typed: string): Prisma.Sql {
  const words = typed.normalize('NFC').split(/\s+/).filter(Boolean).slice(0, mostWords)
  const conditions = words.map((word) =>
    isShortWord(word)
      ? Prisma.sql`${text} ~ (${startsWithLetter.test(word) ? beforeWord : ''}::text || desk_folded(${escapeExpression(word)}))`
      : Prisma.sql`${text} LIKE desk_pattern(${word.replace(/[\\%_]/g, '\\$&')})`,
  )
  return conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, ' AND ')
}

function escapeExpression(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
