import { type CalendarDate, formatEditionKey } from '@tidings/contracts/edition-key'
import type { Context } from '#context.ts'
import { cleanHtml } from '#platform/html/clean-html.ts'
import { altTexts } from './content/alt-texts.ts'
import type { SeedEdition, SeedMemo } from './content/types.ts'
import type { Drawings } from './drawings.ts'
import { likesOf, seedLikes } from './likes.ts'

/** Publishes an edition unless its slot has one, and returns how many it added. */
export async function seedEditionOnce(
  { config, database, memos, publishing }: Context,
  drawings: Drawings,
  date: CalendarDate,
  edition: SeedEdition,
): Promise<number> {
  const { slot } = edition
  if (!config.site.slots.some(({ label }) => label === slot)) return 0
  const exists = await database.transaction(
    async (tx) => (await publishing.find(tx, { date, slot })) !== null,
  )
  if (exists) return 0
  process.stdout.write(`Adding the edition ${formatEditionKey(date, slot)}\n`)
  const contents = await Promise.all(edition.memos.map((memo) => contentOf(memo, drawings)))
  await database.transaction(async (tx) => {
    const draft = await publishing.createOrLock(tx, { date, slot })
    if (!draft.created) return
    for (const content of contents) {
      const memo = await memos.add(tx, draft.edition, content)
      await seedLikes(tx, memo.id, likesOf(content.title))
    }
    await publishing.publish(tx, draft.edition, { as: 'archive' })
  })
  return 1
}

async function contentOf({ title, content, source, picture }: SeedMemo, drawings: Drawings) {
  return {
    title,
    content: cleanHtml(content),
    source,
    mediaFile: picture === undefined ? null : await drawings.fileOf(picture.drawing),
    mediaTitle: picture?.title ?? '',
    mediaAlt: altTexts[picture?.drawing ?? ''] ?? null,
    language: '',
    mediaText: cleanHtml(picture?.text ?? ''),
  }
}
