import { parseEditionKey } from '@tidings/contracts/edition-key'
import type { Context } from '#context.ts'
import type { EditionRow } from '#features/editions/index.ts'
import type { MemoRow } from '#features/memos/index.ts'

/** Returns the content of a plain memo; `number` distinguishes it. */
export function memoContent(number: number) {
  return {
    title: `Memo ${number}`,
    content: `<p>The text of memo ${number}.</p>`,
    source: `https://example.com/${number}`,
    mediaFile: null,
    mediaTitle: '',
    mediaText: '',
    language: '',
  }
}

/** Stores a published edition with this many memos; no job is enqueued. */
export async function publishedEdition(
  context: Context,
  key: string,
  memos: number,
): Promise<{ edition: EditionRow; memos: MemoRow[] }> {
  const { database, publishing } = context
  const drafted = await draftEdition(context, key, memos)
  const edition = await database.transaction((tx) =>
    publishing.publish(tx, drafted.edition, { as: 'archive' }),
  )
  return { edition, memos: drafted.memos }
}

/** Stores a draft edition with this many memos, or with memos of these titles. */
export async function draftEdition(
  { database, publishing }: Context,
  key: string,
  memos: number | readonly string[],
): Promise<{ edition: EditionRow; memos: MemoRow[] }> {
  const id = parseEditionKey(key)
  if (id === null) throw new Error(`${key} is not an edition key`)
  return await database.transaction(async (tx) => {
    const { edition } = await publishing.createOrLock(tx, id)
    const contents =
      typeof memos === 'number'
        ? Array.from({ length: memos }, (_, index) => memoContent(index + 1))
        : memos.map((title) => ({ title, content: '<p>News.</p>' }))
    const data = contents.map((content, index) => ({
      ...content,
      editionId: edition.id,
      position: index + 1,
    }))
    const rows = await tx.memo.createManyAndReturn({ data })
    // Each memo that an editor adds is a new version of the edition.
    await tx.edition.update({ where: { id: edition.id }, data: { version: { increment: data.length } } })
    return { edition, memos: rows.sort((one, other) => one.position - other.position) }
  })
}
