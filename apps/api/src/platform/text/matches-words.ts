import { Prisma } from '#generated/prisma/client.ts'

// More words make no search narrower, but each takes time.
const mostWords = 8

/** Returns the condition that a text, folded by `desk_folded`, has each of the typed words, also inside of others. */
export function matchesWords(text: Prisma.Sql, typed: string): Prisma.Sql {
  const words = typed.split(/\s+/).filter(Boolean).slice(0, mostWords)
  const conditions = words.map((word) => Prisma.sql`${text} LIKE desk_folded(${`%${escapeLike(word)}%`})`)
  return conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, ' AND ')
}

function escapeLike(word: string): string {
  return word.replace(/[\\%_]/g, '\\$&')
}
